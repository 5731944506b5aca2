import type { Import, PlannedCell } from '../../client/src/index.ts'
import { dayInWords } from '../language/dates.ts'
import type { FaultParams } from '../language/en.ts'
import { isolated, t } from '../language/language.ts'
import { ownFields } from '../session/session.ts'
import { texts } from './texts.ts'

type Question = Import['questions'][number]
export type Choice = Question['choices'][number]

/** What a column of a file holds, in the reader's language. */
export function columnWords(column: string): string {
  const { fields } = t()
  const guardian = /^guardian_(\d+)_(.+)$/.exec(column)
  if (guardian) return texts().guardianColumn(guardian[1]!, columnWords(guardian[2]!))
  const [, own] = /^fields\.(.+)$/.exec(column) ?? []
  if (own !== undefined) return ownFields.value.find(({ key }) => key === own)?.label ?? own
  const [, system] = /^identifiers\.(.+)$/.exec(column) ?? []
  if (system !== undefined) return texts().elsewhere(system)
  if (column === 'id' || column === 'class_id') return texts().choices[column]
  if (column === 'label') return fields.class
  return (fields as Readonly<Record<string, string>>)[column] ?? column
}

/** What a field is called that an undo leaves as it is. */
export const keptWords = (field: string) => (field === 'class_id' ? t().fields.class_id : columnWords(field))

/** What a key asks about: `column.Name` is about `Name`. */
export const subjectOf = (key: string) => /^(?:column|date_order|class)\.([\s\S]*)$/.exec(key)?.[1] ?? ''

/** A question in the reader's language; in the server's words where its key is new. */
export function questionWords(key: string, otherwise: string): string {
  const { asks } = texts()
  const about = isolated(subjectOf(key))
  if (key.startsWith('column.')) return asks.column(about)
  if (key.startsWith('date_order.')) return asks.date(about)
  if (key.startsWith('class.')) return asks.class(about)
  return (asks as unknown as Readonly<Record<string, string>>)[key] ?? otherwise
}

const delimiters = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const

/** What an answer means; in the server's words where they are no sentence. */
export function answerWords(key: string, answer: string | number, otherwise = String(answer)): string {
  const { choices } = texts()
  if (key === 'delimiter') return choices[delimiters[answer as keyof typeof delimiters]] ?? otherwise
  if (key.startsWith('class.')) {
    if (answer === 'leave_out') return choices.leave_rows
    return answer === 'create' ? choices.create(isolated(subjectOf(key))) : otherwise
  }
  if (key.startsWith('column.') || key === 'match') {
    if (answer === 'leave_out' || answer === 'new_field') return choices[answer]
    return columnWords(String(answer))
  }
  const own =
    key === 'encoding' ? undefined : (choices as unknown as Readonly<Record<string, string>>)[answer]
  return typeof own === 'string' ? own : otherwise
}

/** A value of a cell, as one reads it. */
export function valueWords(column: string, value: string | null | undefined): string {
  if (value === null || value === undefined || value === '') return texts().nothing
  return column === 'date_of_birth' && /^\d{4}-\d\d-\d\d$/.test(value) ? dayInWords(value) : value
}

/** What is wrong with a cell: in the reader's language, else as the server says it. */
export function faultWords({ column, code = '', detail = '', params, to, hidden }: PlannedCell): string {
  const label = columnWords(column)
  if (hidden) return `${label}: ${texts().hidden}`
  const value = to ? ` ${isolated(to)}:` : ''
  return `${label}:${value} ${faultSaid(code, params) ?? detail}`
}

/** Faults with a limit: without it, the server's sentence says more. */
const withLimit: ReadonlySet<string> = new Set(['too_long', 'too_short', 'too_many'])

function faultSaid(code: string, params: PlannedCell['params']): string | undefined {
  if (code === 'duplicate' && params?.row !== undefined) return texts().inRowToo(params.row, params.sheet)
  if (code === 'invalid' || code === 'duplicate' || (withLimit.has(code) && params?.limit === undefined))
    return undefined // of many reasons one, which the sentence of the server tells
  const { faults, problems }: Record<'faults' | 'problems', Readonly<Record<string, unknown>>> = t()
  const say = faults[code] as ((params: FaultParams) => string) | undefined
  return say?.(params ?? {}) ?? (problems[code] as string | undefined)
}

/** Where files of a kind are sent, and those of before listed. */
export const pathOf = (kind: Import['kind']) => (kind === 'classes' ? '#/imports?kind=classes' : '#/imports')

/** What a file is called on the screen. */
export const nameOf = ({ file, id }: Import) => file.name ?? texts().unnamed(id)
