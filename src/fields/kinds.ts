/** What a field can hold. */
export const kinds = ['text', 'text_in_lines', 'number', 'date', 'one_of', 'several_of', 'yes_no'] as const

export type Kind = (typeof kinds)[number]

/** Whether values of this kind are chosen from options. */
export function hasOptions(kind: Kind): boolean {
  return kind === 'one_of' || kind === 'several_of'
}

/** The kinds whose values are not chosen from options. */
export const kindsWithoutOptions: readonly Kind[] = kinds.filter((kind) => !hasOptions(kind))

/** Whether lists can be filtered by values of this kind: `student_field_values` holds them too. */
export function isFiltered(kind: Kind): boolean {
  return hasOptions(kind) || kind === 'yes_no'
}

/** A value of a field, in its stored form. */
export type FieldValue = string | number | boolean | readonly string[]

/** How many fields there may be. */
export const maxFields = 50

/** How many options a field may have. */
export const maxOptions = 100

/** The longest label of a field or an option, in code points. */
export const maxLabelLength = 100

export const maxKeyLength = 40

/** The last position. Fields with the same position are ordered by id. */
export const maxPosition = 1_000_000_000
