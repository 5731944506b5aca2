import { listImportRows, type PlannedRow } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'

/** What was chosen for rows, by their places; it is sent together. */
export interface Chosen {
  readonly row: number
  readonly sheet?: string
  readonly decision: 'same' | 'new' | 'leave_out'
  readonly id?: number
}
export type Choices = Readonly<Record<string, Chosen>>

/** How many decisions one request takes. */
export const mostDecisions = 500

export const placeOf = ({ row, sheet }: Pick<PlannedRow, 'row' | 'sheet'>) => `row-${sheet ?? ''}-${row}`

/** A choice for a row. */
export const chosenFor = (
  { row = 0, sheet }: PlannedRow,
  decision: Chosen['decision'],
  id?: number,
): Chosen => ({ row, ...(sheet && { sheet }), decision, ...(id !== undefined && { id }) })

/** Why a row is doubtful, and the students who are there whom it may be of. */
export const reasonsOf = ({ cells }: PlannedRow) => [...new Set(cells.flatMap(({ code }) => code ?? []))]
export const idsOf = ({ cells }: PlannedRow) => [...new Set(cells.flatMap((cell) => cell.ids ?? []))]

/** The one student with the name and the date of birth of a row that is doubtful for nothing else. */
function onlyTwin(row: PlannedRow): number | undefined {
  const [id, ...others] = idsOf(row)
  const isFit = others.length === 0 && reasonsOf(row).join() === 'same_name_and_date'
  return isFit ? id : undefined
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
