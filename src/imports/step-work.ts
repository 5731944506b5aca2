import type { Clock } from '../access/clock.ts'
import type { Db } from '../db/tables.ts'
import type { StudentLists } from '../students/lists/lists.ts'

/** What a step of an import works with. */
export interface StepWork {
  readonly db: Db
  readonly lists: StudentLists
  readonly clock: Clock
  /** Aborted when the server stops: the step ends between two slices. */
  readonly signal: AbortSignal
  /** Renews the lease and tells progress. @throws where another instance has the lease */
  beat(done: number, total?: number): Promise<void>
}

/** Ends a slice: tells progress, and lets the event loop go on. @throws the reason of the signal */
export async function endSlice(work: StepWork, done: number, total?: number): Promise<void> {
  work.signal.throwIfAborted()
  await work.beat(done, total)
  await new Promise((resolve) => setImmediate(resolve))
}

/** Where a slice's further changes stand in the change set: below all rows, apart from those of other slices. */
export function belowRow(place: number): number {
  return place * -1_000
}
