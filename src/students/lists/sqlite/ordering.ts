import type { Asked, SortColumn } from '../asked.ts'
import { emptyLast } from '../empty-last.ts'

/** An instant in milliseconds since 1970, as migration 4 has it in the index. */
export const createdMilliseconds = "cast(round(unixepoch(students.created_at, 'subsec') * 1000) as integer)"

/** What a list is ordered by. */
export type Order = Pick<Asked, 'sortedBy' | 'direction'>

/** `order by`. Texts are compared byte by byte, as on PostgreSQL. */
export function orderBy(asked: Asked): string {
  return emptyLast(asked, orderOfFilled(asked))
}

/** The same, where the first column is not empty. */
export function orderOfFilled({ sortedBy, direction }: Order): string {
  return [...sortedBy.map(expressionOf), 'students.id'].map((by) => `${by} ${direction}`).join(', ')
}

function expressionOf(column: SortColumn): string {
  return column === 'created_at' ? createdMilliseconds : `students.${column}`
}
