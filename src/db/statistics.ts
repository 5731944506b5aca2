import { sql } from 'kysely'
import { engineOf } from './engine.ts'
import type { Db } from './tables.ts'

/**
 * Has PostgreSQL learn how large the tables are by now to which an import adds most, as after any bulk load. It would do
 * so by itself a minute later, and plan statements for the small tables of before until then: minutes for what takes a
 * second. Where another does it already, or it takes too long, nothing is learnt: no answer differs.
 */
export async function learnSizes(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await sql`select learn_sizes()`.execute(db).catch(() => {})
}
