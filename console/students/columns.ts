import type { Failure } from '../api/calls.ts'
import { t } from '../language/language.ts'
import type { Sentences } from '../parts/failed.tsx'
import { ownFields, seesSensitive } from '../session/session.ts'
import { sensitiveFields } from '../student/child-fields.ts'

const nameColumns = ['family_name', 'given_name', 'name'] as const
const plainColumns = ['admission_number', 'class', 'preferred_name', 'former_names', 'identifiers'] as const
const [birth, ...others] = sensitiveFields
const sensitiveColumns = [birth, 'guardians', ...others] as const
const instants = ['created_at', 'updated_at'] as const
type Known = (typeof nameColumns | typeof plainColumns | typeof sensitiveColumns | typeof instants)[number]

/** The columns that the account may choose of students of these classes; none: of all. */
export function columnChoices(classIds: readonly number[]): readonly string[] {
  const seesAll = seesSensitive(classIds)
  const own = ownFields.value.filter(({ sensitive }) => seesAll || !sensitive)
  return [
    ...nameColumns,
    ...plainColumns,
    ...(seesAll ? sensitiveColumns : []),
    ...own.map(({ key }) => `fields.${key}`),
    ...instants,
  ]
}

/** Whether the API knows a column no more: somebody has archived its field. */
export const isOfColumns = (failure: Failure) =>
  failure.is === 'problem' && failure.problem.errors?.some(({ pointer }) => pointer === '/columns') === true

/** What to do then. */
export const columnSentences = (failure: Failure): Sentences =>
  isOfColumns(failure) ? { validation_failed: t().students.columnGone } : {}

/** The usual ones behind the name. */
const usualBehind = ['admission_number', 'class', 'date_of_birth', 'guardians']

/** The columns where none are chosen. Where nobody has a family name, the whole name stands in one. */
export function usualColumns(
  rows: readonly { readonly family_name?: string | null }[],
  classIds: readonly number[],
) {
  const names = rows.some(({ family_name }) => family_name) ? ['family_name', 'given_name'] : ['name']
  const choices = columnChoices(classIds)
  return [...names, ...usualBehind.filter((column) => choices.includes(column))]
}

/** The columns with one in which a student is named: somewhere the way to the student has to be. */
export const withName = (columns: readonly string[]): readonly string[] =>
  columns.some(isName) ? columns : ['name', ...columns]

/** The columns of a file. Where only parts of names are shown, a student without these would have no name in it. */
export const inFile = (columns: readonly string[]): readonly string[] =>
  columns.includes('name') ? columns : ['name', ...columns]

/** What names a student in the first column of names: the whole name where the student has no such part of it. */
export const nameIn = (column: string, row: { readonly name?: string }) =>
  String((row as Readonly<Record<string, unknown>>)[column] || row.name)

export const isName = (column: string) => (nameColumns as readonly string[]).includes(column)

/** What a column is called; an own field that is no longer there by its key. */
export function columnLabel(column: string): string {
  const key = /^fields\.(.*)/.exec(column)?.[1]
  if (key === undefined) return t().fields[column as Known]
  return ownFields.value.find((field) => field.key === key)?.label ?? key
}
