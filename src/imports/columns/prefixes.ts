/* How the names of columns begin: `fields.KEY` is a field of the school's own, `identifiers.SYSTEM` has identifiers. */

export const fieldsPrefix = 'fields.'
export const identifiersPrefix = 'identifiers.'

/** The name of a column without a prefix; undefined: it does not begin with that. */
export function behind(prefix: string, column: string): string | undefined {
  return column.startsWith(prefix) ? column.slice(prefix.length) : undefined
}
