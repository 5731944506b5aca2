import { listImportRows, type PlannedRow } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { type Choices, type Chosen, chosenFor, idsOf, placeOf, reasonsOf } from './decided.ts'

/** The one student whom all doubts of a row are about, where name and date of birth are the same. */
function onlyTwin(row: PlannedRow): number | undefined {
  const doubts = row.cells.filter(({ code, hidden }) => code !== undefined || hidden) // a hidden cell may be one
  const [id, ...others] = idsOf(row)
  const isOfOne = others.length === 0 && doubts.every(({ ids = [] }) => ids.length > 0)
  return isOfOne && reasonsOf(row).includes('same_name_and_date') ? id : undefined
}

/** The most rows that a page of the API has. */
const perPage = 100

/** All rows that are plainly of one child who is there, as choices; of no student two rows. */
export async function plainTwins(id: number): Promise<Choices | Failure> {
  const found: (readonly [place: string, Chosen])[] = []
  for (let page = 1, of = 1; page <= of; page++) {
    const query = { outcome: 'doubtful', per_page: perPage, page } as const
    const came = await call(() => listImportRows({ path: { id }, query }))
    if (came.is === 'failed') return came.failure
    of = came.data.pagination.total_pages
    for (const row of came.data.data) {
      if ('first' in row) continue // equal rows together: not asked for
      const twin = onlyTwin(row)
      if (twin !== undefined) found.push([placeOf(row), chosenFor(row, 'same', twin)])
    }
  }
  const rowsOf = Map.groupBy(found, ([, chosen]) => chosen.id)
  return Object.fromEntries(found.filter(([, { id: twin }]) => rowsOf.get(twin)!.length === 1))
}
