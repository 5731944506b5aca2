/* How the names of columns begin: `fields.KEY` is a field of the school's own, `identifiers.SYSTEM` has identifiers. */

export const fieldsPrefix = 'fields.'
export const identifiersPrefix = 'identifiers.'

/** The name of a column, or the key of an answer, without a prefix; undefined: it does not begin with that. */
export function behind(prefix: string, name: string): string | undefined {
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined
}
