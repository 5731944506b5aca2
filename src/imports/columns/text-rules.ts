import { normalText } from '../../http/input.ts'
import { faultOfText } from '../../http/validation.ts'
import type { Fault } from '../../problems.ts'
import type { textFormats } from '../../text/formats.ts'

/** What a text must be: what the schema of a member says of it. */
export interface TextRule {
  readonly format: keyof typeof textFormats
  readonly maxLength: number
}

/** The rule of a schema that the API's bodies have. */
export function textRule(schema: object): TextRule {
  const { format, maxLength } = schema as Partial<TextRule>
  if (format === undefined || maxLength === undefined) throw new Error('a schema has no format or no length')
  return { format, maxLength }
}

/** Formats that take every text of visible ASCII as it is. */
const takingAscii: ReadonlySet<TextRule['format']> = new Set([
  'person-name',
  'admission-number',
  'identifier',
  'class-label',
  'field-label',
  'short-text',
  'text-in-lines',
])

/** Such a text: spaces are between others. Most cells are, and need not be looked at by characters. */
const visibleAscii = /^[!-~](?:[ -~]*[!-~])?$/

/** A text in its stored form, or what the API would say is wrong with it. */
export function readText(rule: TextRule, cell: string): string | Fault {
  if (takingAscii.has(rule.format) && cell.length <= rule.maxLength && visibleAscii.test(cell)) return cell
  const text = normalText(rule, cell)
  return faultOfText(text, rule) ?? text
}
