import { type Asked, type BoundValues, type NullableColumn, nullableColumn } from './asked.ts'

/** Where a part of a page is: how many students, after how many, in SQL. */
export interface Piece {
  readonly limit: string | number
  readonly skipped: string
}

/** Select the ids of a piece of the students who have a value, or have none: each in its order. */
export interface Parts {
  readonly filled: (piece: Piece) => string
  readonly empty: (piece: Piece) => string
}

/**
 * The order in which students without a value in the first column, if that may be empty, are last.
 * @param orderOfFilled the order of those who have one
 */
export function emptyLast(asked: Asked, orderOfFilled: string): string {
  const column = nullableColumn(asked)
  return column === undefined ? orderOfFilled : `students.${column} is null, ${orderOfFilled}`
}

/**
 * The ids of a page of all students, in an order whose first column may be empty: of those who have a value, then of
 * the others. Of neither more is read than the page needs.
 */
export function idsEmptyLast(
  column: NullableColumn,
  { limit, offset }: Asked,
  values: BoundValues,
  { filled, empty }: Parts,
): string {
  const [count, skipped] = ['(select students from filled_ones)', values.bind(offset)]
  const end = values.bind(offset + limit)
  const rest = {
    limit: `case when ${count} >= ${end} then 0 when ${count} > ${skipped} then ${end} - ${count} else ${limit} end`,
    skipped: `case when ${count} > ${skipped} then 0 else ${skipped} - ${count} end`,
  }
  return `with filled_ones as materialized (
      select count(*) as students from students where ${column} is not null
    )
    select id from (${filled({ limit, skipped })}) as filled
    union all select id from (${empty(rest)}) as others`
}
