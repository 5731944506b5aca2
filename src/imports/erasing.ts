import { type ExpressionBuilder, sql } from 'kysely'
import { instantAfter } from '../access/clock.ts'
import { rowsBeside } from '../db/read-beside.ts'
import type { Db, Tables } from '../db/tables.ts'
import { type Failure, type ImportState, stepStates } from './model.ts'
import { erasePortion } from './slices/staged-rows.ts'
import { moveTo } from './states.ts'

/** How long the rows of an import are kept after it was last touched, in days. */
export const keptDays = 30

/** The same of one that was applied, and changed nothing: it can't be taken back. */
const keptUnchangedDays = 1

/** What is kept of an import row by row, and how much of it goes at once. */
const contents = [
  { table: 'import_chunks', atMost: 16 },
  { table: 'import_rows', atMost: 1_000 },
  { table: 'import_plan', atMost: 1_000 },
  { table: 'import_decisions', atMost: 1_000 },
] as const

/** What imports in these states hold is of no use to anybody: nothing of it was written, and none can be continued. */
const useless: readonly ImportState[] = ['cancelled', 'refused']

/** An import that was never applied can't be any more. */
const forgotten = {
  code: 'import_forgotten',
  detail: `Nobody touched it for ${keptDays} days, so its rows were erased; send the file again.`,
} satisfies Failure

/** The ids of imports of which something is to be erased: they are old, or of no use. Those that a step works on stay. */
export async function findDue(db: Db, now: Date): Promise<number[]> {
  const due = db.selectFrom('imports').select('id').where('state', 'not in', stepStates)
  const old = due.where((q) => isDue(q, now)).orderBy('id')
  return (await rowsBeside(db, old)).map(({ id }) => Number(id))
}

/**
 * Erases a portion of what an import holds that is due, so that other writes need not wait long. One that could still be
 * continued is cancelled first: else what is left of it would be planned, or applied.
 * @returns whether there may be more
 */
export async function eraseDue(db: Db, id: number, now: Date): Promise<boolean> {
  const due = await db
    .selectFrom('imports')
    .select(['state', 'updated_at'])
    .where('id', '=', id)
    .where((q) => isDue(q, now))
    .executeTakeFirst()
  if (due === undefined) return false
  const { state, updated_at: touchedAt } = due
  if (state !== 'question' && state !== 'planned') return eraseImport(db, id, now)
  // It stays old, so that it is erased next; where somebody has just continued it, it is left alone.
  await moveTo(db, id, [state], 'cancelled', touchedAt, { failure: forgotten })
  return true
}

const daysBefore = (now: Date, days: number) => instantAfter(now, -days * 24 * 3_600_000)

/** Whether an import was applied, and changed nothing. */
export function changedNothing(q: ExpressionBuilder<Tables, 'imports'>) {
  return q('state', '=', 'applied').and('change_set_id', 'is', null)
}

function isDue(q: ExpressionBuilder<Tables, 'imports'>, now: Date) {
  const isUseless = q.or([
    q('updated_at', '<=', daysBefore(now, keptDays)),
    q('updated_at', '<=', daysBefore(now, keptUnchangedDays)).and(changedNothing(q)),
    q('state', 'in', useless),
  ])
  return q.or([isHalfErased(q), q('emptied_at', 'is', null).and(isUseless)])
}

/** Its questions go last, so that the rest goes too where the clock is set back or the server stops. */
function isHalfErased(q: ExpressionBuilder<Tables, 'imports'>) {
  return q('emptied_at', 'is not', null).and(q('questions', 'is not', null))
}

/**
 * Erases a portion of what an import holds. With the first one it is emptied: it can't be undone, as a part would stay.
 * @returns whether there may be more
 */
export async function eraseImport(db: Db, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({
      emptied_at: sql`coalesce(emptied_at, ${now.toISOString()})`,
      questions: sql`coalesce(questions, '[]')`,
    })
    .where('id', '=', id)
    .where('state', 'not in', stepStates) // its undo may have begun
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  for (const { table, atMost } of contents) {
    if (await erasePortion(db, table, id, atMost)) return true
  }
  await db.updateTable('imports').set({ questions: null }).where('id', '=', id).execute()
  return false
}
