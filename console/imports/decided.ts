import type { PlannedRow } from '../../client/src/index.ts'

/** What was chosen for rows, by their places; it is sent together. */
export interface Chosen {
  readonly row: number
  readonly sheet?: string
  readonly decision: 'same' | 'same_keep_name' | 'new' | 'leave_out'
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

/** Why a row is doubtful, and the students who are there whom it may be of: by name and date of birth first. */
export const reasonsOf = ({ cells }: PlannedRow) => [...new Set(cells.flatMap(({ code }) => code ?? []))]
export function idsOf({ cells }: PlannedRow): number[] {
  const likeliest = cells.filter(({ code }) => code === 'same_name_and_date')
  return [...new Set([...likeliest, ...cells].flatMap((cell) => cell.ids ?? []))]
}
