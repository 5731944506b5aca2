import type { Clock } from '../access/clock.ts'
import type { Db } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import type { StudentLists } from '../students/lists/lists.ts'
import type { ImportRow, StepState } from './model.ts'

/** What a step works with. */
export interface StepWork {
  readonly db: Db
  readonly lists: StudentLists
  readonly clock: Clock
  /** Aborted where the step is to end after its slice: the app stops, or another instance has the import. */
  readonly signal: AbortSignal
  /**
   * Lets others go on, and says how far the step is. Call it between slices.
   * @throws LeaseLostError, or the signal's reason
   */
  beat(done: number, total?: number): Promise<void>
  /**
   * Makes sure, in the write of a slice, that the step is still this instance's: else nothing of it is written.
   * @throws LeaseLostError
   */
  hold(tx: Db, done?: number, total?: number): Promise<void>
  /** Writes a slice that nobody is the author of, behind `hold`. */
  write<Result>(work: (tx: Tx) => Promise<Result>, done?: number): Promise<Result>
}

/** Does what an import waits for, in slices, and brings it into another state. It may be begun again amid the work. */
export type Step = (imported: ImportRow, work: StepWork) => Promise<void>

/** The step of each state in which one is at work. */
export type Steps = Readonly<Record<StepState, Step>>

/** These steps. What they take is loaded at the first import. */
export const steps: Steps = {
  reading: async (...of) => (await import('./reading/read-import.ts')).readImport(...of),
  applying: async (...of) => (await import('./applying/apply.ts')).applyImport(...of),
  undoing: async (...of) => (await import('./applying/undo.ts')).undoImport(...of),
}
