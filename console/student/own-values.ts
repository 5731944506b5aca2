import type { Field } from '../../client/src/index.ts'
import { dayInWords, readDay, typedDay } from '../language/dates.ts'
import { code, t } from '../language/language.ts'
import { numberIn } from '../language/plurals.ts'
import { ownFields } from '../session/session.ts'

/** A value of one of the school's own fields, as one reads it. */
export function ownText(key: string, value: unknown): string {
  const kind = ownFields.value.find((field) => field.key === key)?.kind
  if (typeof value === 'boolean') return value ? t().student.yes : t().student.no
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'number') return numberIn(code.value, value)
  return kind === 'date' ? dayInWords(String(value)) : String(value)
}

/** The same as a form holds it: a text, options a line each. */
export function typedOwn({ kind }: Field, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join('\n')
  return kind === 'date' ? typedDay(String(value)) : String(value)
}

/** What the API takes of what a form holds; what cannot be read is sent as it is, and the API says what is wrong. */
export function sentOwn({ kind }: Field, typed: string): string | number | boolean | string[] | null {
  const text = typed.trim()
  if (text === '') return null
  if (kind === 'yes_no') return text === 'true'
  if (kind === 'several_of') return text.split('\n')
  if (kind === 'number')
    return Number.isFinite(Number(text.replace(',', '.'))) ? Number(text.replace(',', '.')) : text
  return kind === 'date' ? (readDay(text) ?? text) : text
}
