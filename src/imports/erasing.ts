import { instantAfter } from '../access/clock.ts'
import type { Db } from '../db/tables.ts'
import type { ImportState } from './model.ts'
import { moveTo } from './states.ts'

/** How long the rows of an import are kept after it was last touched, in days. */
export const keptDays = 30

/** What is kept of an import row by row, and how much of it goes at once. */
const contents = [
  { table: 'import_chunks', atMost: 16 },
  { table: 'import_rows', atMost: 1_000 },
  { table: 'import_plan', atMost: 1_000 },
  { table: 'import_decisions', atMost: 1_000 },
] as const

/** Imports that a step works on stay as they are. */
const atWork: readonly ImportState[] = ['reading', 'applying', 'undoing']

/** An import that was never applied can't be any more. */
const forgotten = {
  code: 'import_forgotten',
  detail: `Nobody touched it for ${keptDays} days, so its rows were erased; send the file again.`,
}

/** Erases a portion of what old imports hold, so that other writes need not wait long. @returns whether there may be more */
export async function eraseOldImports(db: Db, now: Date): Promise<boolean> {
  const old = await db
    .selectFrom('imports')
    .select('id')
    .where('emptied_at', 'is', null)
    .where('updated_at', '<=', instantAfter(now, -keptDays * 24 * 3_600_000))
    .where('state', 'not in', atWork)
    .orderBy('id')
    .executeTakeFirst()
  if (old === undefined) return false
  for (const { table, atMost } of contents) {
    const portion = db.selectFrom(table).select('place').where('import_id', '=', old.id).limit(atMost)
    const { numDeletedRows } = await db
      .deleteFrom(table)
      .where('import_id', '=', old.id)
      .where('place', 'in', portion)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) return true
  }
  const at = now.toISOString()
  await moveTo(db, old.id, ['question', 'planned'], 'cancelled', at, { failure: forgotten })
  await db.updateTable('imports').set({ emptied_at: at, questions: null }).where('id', '=', old.id).execute()
  return true
}
