import type { Asked, BoundValues } from '../asked.ts'
import { conditionsOf } from '../filter.ts'

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

/** That a student is in the classes, and what the conditions say. */
export function restricted(
  { classes, conditions }: Pick<Asked, 'classes' | 'conditions'>,
  values: BoundValues,
): string[] {
  const met = conditionsOf(conditions, values)
  return classes === 'all' ? met : [inClasses(classes, values), ...met]
}
