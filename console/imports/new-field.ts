import type { Import } from '../../client/src/index.ts'

/** What a field can be that an import makes. */
type NewKind = NonNullable<Import['new_fields'][number]['kind']>

/** The kinds, in the order in which a form has them. */
export const newKinds: readonly NewKind[] = ['text', 'text_in_lines', 'number', 'date', 'yes_no']

/** What an answer says of a field. */
export interface NewField {
  readonly kind: NewKind
  readonly isSensitive: boolean
}

/** What an answer such as `new_field:date:sensitive` says of the field; undefined: it makes none. */
export function newFieldIn(answer: string | number | undefined): NewField | undefined {
  const [first, ...traits] = String(answer).split(':')
  if (first !== 'new_field') return undefined
  return {
    kind: newKinds.find((kind) => kind === traits[0]) ?? 'text',
    isSensitive: traits.at(-1) === 'sensitive',
  }
}

/** The answer that makes such a field. */
export const newFieldAnswer = ({ kind, isSensitive }: NewField) =>
  `new_field${kind === 'text' ? '' : `:${kind}`}${isSensitive ? ':sensitive' : ''}`
