import type { BoundValues } from '../asked.ts'

/** Ids as rows, each a `value`. */
export function idRows(ids: readonly number[], values: BoundValues): string {
  return `json_each(${values.bind(`[${ids.join()}]`)})`
}

/** That a column holds the id of one of these classes. */
export function inClasses(
  classes: readonly number[],
  values: BoundValues,
  column = 'students.class_id',
): string {
  return `${column} in (select value from ${idRows(classes, values)})`
}
