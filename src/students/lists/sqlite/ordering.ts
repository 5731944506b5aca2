import { type Asked, partialColumn, type SortColumn } from '../asked.ts'

/** An instant in milliseconds since 1970, as migration 4 has it in the index. */
export const createdMilliseconds = "cast(round(unixepoch(students.created_at, 'subsec') * 1000) as integer)"

/** What a list is ordered by. */
export type Order = Pick<Asked, 'sortedBy' | 'direction'>

/** `order by`. Texts are compared byte by byte, as on PostgreSQL. */
export function ordering(asked: Asked): string {
  const first = partialColumn(asked)
  return first === undefined ? orderingOf(asked) : `students.${first} is null, ${orderingOf(asked)}`
}

/** The same, where the first column is not empty. */
export function orderingOf({ sortedBy, direction }: Order): string {
  return [...sortedBy.map(expressionOf), 'students.id'].map((by) => `${by} ${direction}`).join(', ')
}

function expressionOf(column: SortColumn): string {
  return column === 'created_at' ? createdMilliseconds : `students.${column}`
}
