/* The names of columns begin so that hold a field of the school's own, by its key, or identifiers, by their system. */

export const fieldsPrefix = 'fields.'
export const identifiersPrefix = 'identifiers.'

/** What stands behind a prefix in the name of a column; undefined: the name does not begin so. */
export function behind(prefix: string, column: string): string | undefined {
  return column.startsWith(prefix) ? column.slice(prefix.length) : undefined
}
