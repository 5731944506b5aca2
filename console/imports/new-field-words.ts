import { kindTexts } from '../fields/kind-texts.ts'
import { newFieldIn } from './new-field.ts'

/** Of which kind the field is that an answer makes, unless it is a plain text, and that it is sensitive; '': neither. */
export function newFieldWords(answer: string | number): string {
  const { kind = 'text', isSensitive = false } = newFieldIn(answer) ?? {}
  const { kinds, sensitive } = kindTexts()
  return `${kind === 'text' ? '' : ` · ${kinds[kind]}`}${isSensitive ? ` · ${sensitive}` : ''}`
}
