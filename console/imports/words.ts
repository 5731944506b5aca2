import { signal } from '@preact/signals'
import type { Import, ListedImport } from '../../client/src/index.ts'
import { dayInWords } from '../language/dates.ts'
import { t } from '../language/language.ts'
import { ownFields } from '../session/session.ts'
import { texts } from './texts.ts'
import { columnIn, type Words } from './told/columns.ts'

/** Fields that the plan on the screen makes: it calls them by their keys. */
export const newFields = signal<Import['new_fields']>([])

/** In the reader's language. */
export const shown = (): Words => ({
  house: t(),
  own: texts(),
  fields: [...ownFields.value, ...newFields.value.map((one) => ({ kind: 'text', ...one, options: null }))],
})

/** What a column of a file holds, in the reader's language. */
export const columnWords = (column: string) => columnIn(shown(), column)

/** What a field is called that an undo leaves as it is. */
export function keptWords(field: string): string {
  if (field === 'students') return t().students.title // whom a class has by now
  return field === 'class_id' ? t().fields.class_id : columnWords(field)
}

/** What a key asks about: `column.Name` is about `Name`. */
export const subjectOf = (key: string) =>
  /^(?:column|date_order|short_years|class)\.([\s\S]*)$/.exec(key)?.[1] ?? ''

/** The kind of a field of the school's own, which the plan may be to make. */
const kindOf = (column: string) => shown().fields.find(({ key }) => column === `fields.${key}`)?.kind

/** A value of a cell, as one reads it. */
export function valueWords(column: string, value: string | null | undefined): string {
  if (value === null || value === undefined || value === '') return texts().nothing
  const kind = kindOf(column)
  if (kind === 'yes_no')
    return value === 'true' ? t().student.yes : value === 'false' ? t().student.no : value
  const isDate = column === 'date_of_birth' || kind === 'date'
  return isDate && /^\d{4}-\d\d-\d\d$/.test(value) ? dayInWords(value) : value
}

/** Where files of a kind are sent, and those of before listed. */
export const pathOf = (kind: Import['kind']) => (kind === 'classes' ? '#/imports?kind=classes' : '#/imports')

/** What a file is called on the screen. */
export const nameOf = ({ file, id }: ListedImport) => file.name ?? texts().unnamed(id)
