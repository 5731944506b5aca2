import { setImmediate as turn } from 'node:timers/promises'

/** For how long rows are worked on before others go on, in milliseconds. */
const atOnceMs = 0.5

/** Makes something of each row, and lets others go on meanwhile. */
export async function inTurns<Row, Result>(
  rows: readonly Row[],
  make: (row: Row) => Result,
): Promise<Result[]> {
  const made: Result[] = []
  let began = performance.now()
  for (const row of rows) {
    if (performance.now() - began > atOnceMs) {
      await turn()
      began = performance.now()
    }
    made.push(make(row))
  }
  return made
}
