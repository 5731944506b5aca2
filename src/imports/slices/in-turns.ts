import { setImmediate as turn } from 'node:timers/promises'

/** How many rows are worked on before others go on: less than a millisecond. */
const atOnce = 10

/** Makes something of each row, and lets others go on meanwhile. */
export async function inTurns<Row, Result>(
  rows: readonly Row[],
  make: (row: Row, index: number) => Result,
): Promise<Result[]> {
  const made: Result[] = []
  for (const [i, row] of rows.entries()) {
    if (i > 0 && i % atOnce === 0) await turn()
    made.push(make(row, i))
  }
  return made
}
