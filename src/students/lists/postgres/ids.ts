import type { BoundValues } from '../asked.ts'

/** Ids as an array. */
export function idArray(ids: readonly number[], values: BoundValues): string {
  return `${values.bind(`{${ids.join()}}`)}::bigint[]`
}

/** That a column holds the id of one of these classes. */
export function inClasses(
  classes: readonly number[],
  values: BoundValues,
  column = 'students.class_id',
): string {
  return `${column} = any(${idArray(classes, values)})`
}
