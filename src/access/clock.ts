import type { Instant } from '../db/tables.ts'

/** The time of day, as an argument: tests move it. */
export type Clock = () => Date

/** An instant some milliseconds from another. */
export function instantAfter(from: Date, milliseconds: number): Instant {
  return new Date(from.getTime() + milliseconds).toISOString()
}
