import { signal } from '@preact/signals'
import type { Import, PlannedCell } from '../../client/src/index.ts'
import { dayFromEnglish, dayInWords } from '../language/dates.ts'
import { isolated } from '../language/isolated.ts'
import { t } from '../language/language.ts'
import { ownFields } from '../session/session.ts'
import { encodingWords } from './encodings.ts'
import { texts } from './texts.ts'
import { columnIn, faultIn, type Words } from './told/faults.ts'

type Question = Import['questions'][number]
export type Choice = Question['choices'][number]

/** Fields that the plan on the screen makes: it calls them by their keys. */
export const newFields = signal<Import['new_fields']>([])

const shown = (): Words => ({
  house: t(),
  own: texts(),
  fields: [...ownFields.value, ...newFields.value.map((one) => ({ ...one, kind: 'text', options: null }))],
})

/** What a column of a file holds, in the reader's language. */
export const columnWords = (column: string) => columnIn(shown(), column)

/** What a field is called that an undo leaves as it is. */
export function keptWords(field: string): string {
  if (field === 'students') return t().students.title // whom a class has by now
  return field === 'class_id' ? t().fields.class_id : columnWords(field)
}

/** What a key asks about: `column.Name` is about `Name`. */
export const subjectOf = (key: string) => /^(?:column|date_order|class)\.([\s\S]*)$/.exec(key)?.[1] ?? ''

const folded = (label: string) => label.normalize('NFKC').toLowerCase().replace(/\s/g, '')

/** Whether the choices tell that no class has the label: classes that have it would stand first. */
function isUnknownClass({ key, choices }: Question): boolean {
  const nearest = choices.find(({ answer }) => typeof answer === 'number')
  return nearest === undefined || folded(nearest.text) !== folded(subjectOf(key))
}

/**
 * A question in the reader's language; in the server's words where its key is new.
 * @param question where it is still asked: it tells more
 */
export function questionWords(key: string, otherwise: string, question?: Question): string {
  const { asks } = texts()
  const about = isolated(subjectOf(key))
  if (key.startsWith('column.')) return asks.column(about)
  if (key.startsWith('date_order.')) return asks.date(about)
  if (key.startsWith('class.'))
    return question && isUnknownClass(question) ? asks.noClass(about) : asks.class(about)
  // It must be answered where the file has no column for it.
  if (key === 'admission_number' && question) return question.required ? asks.noNumbers : asks.someNumbers
  if (key === 'guardian_name' && question?.rows) return asks.unnamedGuardians(question.rows)
  return (asks as unknown as Readonly<Record<string, string>>)[key] ?? otherwise
}

/** The first number of a series, as people write it: the API has a `*` before the digits that count. */
export const firstOf = (series: string) => series.replace('*', '')

const delimiters = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const

/** A cell that a choice shows: beside a date stands what it would be read as. */
export function sampleWords(key: string, sample: string): string {
  if (!key.startsWith('date_order.')) return sample
  const at = sample.lastIndexOf(': ')
  const read = sample.slice(at + 2)
  return `${sample.slice(0, at)}: ${read === 'refused' ? texts().outcomes.refused : dayFromEnglish(read)}`
}

/** What an answer means; in the server's words where they are no sentence. */
export function answerWords(key: string, answer: string | number, otherwise = String(answer)): string {
  const { choices } = texts()
  if (key === 'admission_number') return firstOf(String(answer))
  if (key === 'encoding') return encodingWords(String(answer)) ?? otherwise
  if (key === 'delimiter') return choices[delimiters[answer as keyof typeof delimiters]] ?? otherwise
  if (key.startsWith('class.')) {
    if (answer === 'leave_out') return choices.leave_rows
    return answer === 'create' ? choices.create(isolated(subjectOf(key))) : otherwise
  }
  if (key === 'guardian_name') {
    if (answer === 'leave_out') return choices.leave_guardians
    return answer === 'relation' ? choices.relation : otherwise // a name for all
  }
  if (key.startsWith('column.') || key === 'match') {
    if (answer === 'leave_out' || answer === 'new_field') return choices[answer]
    return columnWords(String(answer))
  }
  const own = (choices as unknown as Readonly<Record<string, string>>)[answer]
  return typeof own === 'string' ? own : otherwise
}

const isYesNo = (column: string) =>
  ownFields.value.some(({ key, kind }) => kind === 'yes_no' && column === `fields.${key}`)

/** A value of a cell, as one reads it. */
export function valueWords(column: string, value: string | null | undefined): string {
  if (value === null || value === undefined || value === '') return texts().nothing
  if (isYesNo(column)) return value === 'true' ? t().student.yes : value === 'false' ? t().student.no : value
  return column === 'date_of_birth' && /^\d{4}-\d\d-\d\d$/.test(value) ? dayInWords(value) : value
}

/** What is wrong with a cell: in the reader's language, else as the server says it. */
export function faultWords({ to, ...cell }: PlannedCell): string {
  const label = columnWords(cell.column)
  if (cell.hidden) return `${label}: ${texts().hidden}`
  const value = to ? ` ${isolated(to)}:` : ''
  return `${label}:${value} ${faultIn(shown(), { ...cell, to })}`
}

/** Where files of a kind are sent, and those of before listed. */
export const pathOf = (kind: Import['kind']) => (kind === 'classes' ? '#/imports?kind=classes' : '#/imports')

/** What a file is called on the screen. */
export const nameOf = ({ file, id }: Import) => file.name ?? texts().unnamed(id)
