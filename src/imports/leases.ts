import { type ExpressionBuilder, sql } from 'kysely'
import { instantAfter } from '../access/clock.ts'
import type { Db, Instant, Tables } from '../db/tables.ts'
import { type StepState, stepStates } from './model.ts'

/** How long an instance holds an import without saying that it still does, in milliseconds. */
export const leaseMs = 15_000

/** A lease that would last longer, in milliseconds, was taken by a clock that was ahead: whoever took it is gone. */
const longestMs = 600_000

/** Imports that a step is to work on. The states are literals, so that SQLite takes the index of just these. */
const hasStep = sql<boolean>`state in (${sql.join(stepStates.map((state) => sql.lit(state)))})`

/** Another instance has the import by now, or it is in another state: who held it must write no more of it. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/** Who holds an import: an instance, in a state of the import. */
export interface Lease {
  readonly id: number
  readonly holder: string
  readonly state: StepState
}

/** What the same file brought is being taken back: a plan would find there what goes. */
const waitsForUndo = sql<boolean>`(state = 'reading' and exists (select 1 from imports as undone
  where undone.state = 'undoing' and undone.file_hash = imports.file_hash))`

/** The ids of imports whose step can be done and that nobody holds, the oldest first. */
export async function findFree(db: Db, now: Instant): Promise<number[]> {
  const rows = await db
    .selectFrom('imports')
    .select('id')
    .where(hasStep)
    .where(isFree(now))
    .where((q) => q.not(waitsForUndo))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

function isFree(now: Instant) {
  const latest = instantAfter(new Date(now), longestMs)
  return (q: ExpressionBuilder<Tables, 'imports'>) =>
    q.or([q('leased_until', 'is', null), q('leased_until', '<=', now), q('leased_until', '>', latest)])
}

/** What is known of an import as it is taken on. */
export interface Taken extends Lease {
  /** How often it was taken on in this state. */
  readonly tries: number
  /** Whether all of its file came. */
  readonly isWhole: boolean
}

/** Takes an import on, if nobody holds it. */
export async function takeLease(
  db: Db,
  id: number,
  holder: string,
  { now, until }: { readonly now: Instant; readonly until: Instant },
): Promise<Taken | undefined> {
  const row = await db
    .updateTable('imports')
    .set((q) => ({ leased_by: holder, leased_until: until, tries: q('tries', '+', 1) }))
    .where('id', '=', id)
    .where(hasStep)
    .where(isFree(now))
    .returning(['state', 'tries', 'file_hash'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { id, holder, state: row.state as StepState, tries: row.tries, isWhole: row.file_hash !== null }
}

/** How far a step is. */
export interface Progress {
  readonly done: number
  readonly total?: number | undefined
}

/** Holds an import for longer, and notes how far its step is. @throws LeaseLostError */
export async function holdLease(
  db: Db,
  { id, holder, state }: Lease,
  until: Instant,
  progress?: Progress,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({
      leased_until: until,
      ...(progress && { done: progress.done }),
      ...(progress?.total !== undefined && { total: progress.total }),
    })
    .where('id', '=', id)
    .where('leased_by', '=', holder)
    .where('state', '=', state)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new LeaseLostError(`import ${id} is not held any more`)
}

/**
 * Lets an import go. One that a stop interrupts was no try of its own.
 * @param isInterrupted whether its step is to go on elsewhere
 */
export async function releaseLease(
  db: Db,
  { id, holder }: Pick<Lease, 'id' | 'holder'>,
  isInterrupted: boolean,
): Promise<void> {
  await db
    .updateTable('imports')
    .set((q) => ({
      leased_by: null,
      leased_until: null,
      ...(isInterrupted && { tries: q('tries', '-', 1) }),
    }))
    .where('id', '=', id)
    .where('leased_by', '=', holder)
    .execute()
}
