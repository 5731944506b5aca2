import type { Asked, BoundValues, PartialColumn } from './asked.ts'

/** Selects the ids of students who have a value, or have none: each in its order. */
export interface Parts {
  /** Students with a value, on this page. */
  readonly filled: string
  /** Students without one, all; without `limit`. */
  readonly empty: string
}

/**
 * The ids of a page of all students, in an order whose first column may be empty. An index has the students with a
 * value; the others are read where the page ends among them.
 */
export function idsEmptyLast(
  column: PartialColumn,
  { limit, offset }: Asked,
  values: BoundValues,
  { filled, empty }: Parts,
): string {
  const [count, skipped] = ['(select students from filled_ones)', values.bind(offset)]
  const end = values.bind(offset + limit)
  const rest = `case when ${count} >= ${end} then 0 when ${count} > ${skipped} then ${end} - ${count} else ${limit} end`
  const skippedOfRest = `case when ${count} > ${skipped} then 0 else ${skipped} - ${count} end`
  return `with filled_ones as materialized (
      select count(*) as students from students where ${column} is not null
    )
    select id from (${filled}) as filled
    union all select id from (${empty} limit ${rest} offset ${skippedOfRest}) as others`
}
