import type { PlannedRow } from '../../client/src/index.ts'
import type { Failure } from '../api/calls.ts'
import { type Choices, type Chosen, chosenFor, idsOf, placeOf, reasonsOf } from './decided.ts'
import { doubtfulRows } from './doubtful-rows.ts'

/** The one student whom all doubts of a row are about, where name and date of birth are the same. */
function onlyTwin(row: PlannedRow): number | undefined {
  const doubts = row.cells.filter(({ code, hidden }) => code !== undefined || hidden) // a hidden cell may be one
  const [id, ...others] = idsOf(row)
  const isOfOne = others.length === 0 && doubts.every(({ ids = [] }) => ids.length > 0)
  return isOfOne && reasonsOf(row).includes('same_name_and_date') ? id : undefined
}

/** All rows that are plainly of one child who is there, as choices; of no student two rows. */
export async function plainTwins(id: number): Promise<Choices | Failure> {
  const rows = await doubtfulRows(id)
  if ('is' in rows) return rows
  const found = rows.flatMap((row): (readonly [place: string, Chosen])[] => {
    const twin = onlyTwin(row)
    return twin === undefined ? [] : [[placeOf(row), chosenFor(row, 'same', twin)]]
  })
  const rowsOf = Map.groupBy(found, ([, chosen]) => chosen.id)
  return Object.fromEntries(found.filter(([, { id: twin }]) => rowsOf.get(twin)!.length === 1))
}
