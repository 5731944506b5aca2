import { sql } from 'kysely'
import { engineOf } from './engine.ts'
import type { Db, Tables } from './tables.ts'

/** The tables to which an import adds most. */
const grown = ['students', 'guardian_texts', 'events', 'event_secrets'] as const satisfies (keyof Tables)[]

/**
 * Has PostgreSQL learn how large these tables are by now, as after any bulk load. It would do so by itself a minute
 * later, and plan statements for the small tables of before until then: minutes for what takes a second. Where
 * another does it already, it takes too long, or the tables are another role's, nothing is learnt: no answer differs.
 */
export async function learnSizes(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  const tables = sql.join(grown.map((name) => sql.table(name)))
  await sql`analyze (skip_locked) ${tables}`.execute(db).catch(() => {})
}
