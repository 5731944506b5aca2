import { normalText } from '../http/input.ts'
import { faultOfText, tooMany, wrongType } from '../http/validation.ts'
import type { Fault, FieldFault } from '../problems.ts'
import type { Definitions, Hidden } from './definitions.ts'
import { type FieldValue, isFiltered, maxLabelLength, maxOptions } from './kinds.ts'
import type { Field } from './queries.ts'

/** What texts must be, by kind. */
export const textRules = {
  text: { format: 'short-text', maxLength: 500 },
  text_in_lines: { format: 'text-in-lines', maxLength: 2_000 },
  date: { format: 'date', maxLength: 40 },
  option: { format: 'field-label', maxLength: maxLabelLength },
} as const

/** The longest value of a text. */
export const maxTextLength = textRules.text_in_lines.maxLength

/**
 * A value that was given, in its stored form; null: none, as are no options.
 * @param faults gets what is wrong with it, each with its pointer
 */
export function readValue(
  field: Field,
  given: unknown,
  pointer: string,
  faults: FieldFault[],
): FieldValue | null {
  const refuse = (fault: Fault, at = pointer) => {
    faults.push({ pointer: at, ...fault })
    return null
  }
  if (given === null) return null
  switch (field.kind) {
    case 'yes_no':
      return typeof given === 'boolean' ? given : refuse(wrongType(['boolean', 'null']))
    case 'number':
      if (typeof given !== 'number') return refuse(wrongType(['number', 'null']))
      // JSON.parse reads 1e999 as Infinity.
      return Number.isFinite(given) ? given : refuse({ code: 'invalid', detail: 'must be a finite number' })
    case 'several_of':
      if (!Array.isArray(given)) return refuse(wrongType(['array', 'null']))
      return given.length > maxOptions
        ? refuse(tooMany(maxOptions))
        : readOptions(field.options!, given, pointer, refuse)
    case 'one_of':
      if (typeof given !== 'string') return refuse(wrongType(['string', 'null']))
      return readOption(field.options!, given) ?? refuse(notAnOption(field.options!))
    default: {
      if (typeof given !== 'string') return refuse(wrongType(['string', 'null']))
      const text = normalText(textRules[field.kind], given)
      const fault = faultOfText(text, textRules[field.kind])
      return fault === undefined ? text : refuse(fault)
    }
  }
}

function readOption(options: readonly string[], given: string): string | undefined {
  const option = normalText(textRules.option, given)
  return options.includes(option) ? option : undefined
}

/** What was chosen, in the order of the options, so that the same choice is the same value. */
function readOptions(
  options: readonly string[],
  given: readonly unknown[],
  pointer: string,
  refuse: (fault: Fault, at: string) => null,
): string[] | null {
  const chosen = new Set<string>()
  let isGood = true
  for (const [index, item] of given.entries()) {
    const option = typeof item === 'string' ? readOption(options, item) : undefined
    let fault: Fault | undefined
    if (typeof item !== 'string') fault = wrongType(['string'])
    else if (option === undefined) fault = notAnOption(options)
    else if (chosen.has(option)) fault = { code: 'duplicate', detail: 'must not stand more than once' }
    else chosen.add(option)
    if (fault === undefined) continue
    refuse(fault, `${pointer}/${index}`)
    isGood = false
  }
  return isGood && chosen.size > 0 ? options.filter((option) => chosen.has(option)) : null
}

function notAnOption(accepted: readonly string[]): Fault {
  const detail = "must be one of the field's options; GET /api/fields lists them"
  return { code: 'not_allowed', detail, params: { accepted } }
}

/** What lists can be filtered by: an option, `true` or `false`; nothing for other kinds. */
export function valueKeysOf({ kind }: Field, value: FieldValue): readonly string[] {
  return isFiltered(kind) ? [value].flat().map(String) : []
}

/**
 * What is shown of stored values, as JSON: by the fields' order, to a caller who may see sensitive ones, or may not.
 * Most often that is what is stored without some members. Then it is not parsed, which costs most of all.
 */
export function shownValues(definitions: Definitions, stored: string, withSensitive: boolean): string {
  const { keys, isAsStored, hidden } = withSensitive ? definitions.shown : definitions.shownToAll
  if (isAsStored) {
    const left = hidden === undefined ? stored : withoutMembers(stored, hidden)
    if (!hidden?.name.test(left)) return left
  }
  return JSON.stringify(JSON.parse(stored), [...keys])
}

function withoutMembers(json: string, { members }: Hidden): string {
  const left = json.replace(members, '')
  return left.endsWith(',}') ? `${left.slice(0, -2)}}` : left
}
