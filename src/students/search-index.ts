import { sql } from 'kysely'
import { engineOf } from '../db/engine.ts'
import type { Db } from '../db/tables.ts'

/** How much of the index is merged in one work, in pages: some milliseconds. */
const pagesAtOnce = 16

/**
 * Merges some of the parts in which SQLite's search index grows: a search looks into each. Run it inside a
 * write, again and again until there is no more to do.
 * @returns whether there may be more to do
 */
export async function mergeSearchIndex(db: Db): Promise<boolean> {
  if (engineOf(db) === 'postgres') return false
  const before = await totalChanges(db)
  await sql`insert into student_search (student_search, rank) values ('merge', ${pagesAtOnce})`.execute(db)
  return (await totalChanges(db)) - before >= 2 // FTS5's documentation, "The 'merge' Command"
}

async function totalChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(db)
  return rows[0]!.changes
}
