import type { Caller } from '../access/authority.ts'
import { permissionDenied } from '../access/denials.ts'
import { commonScope, includesScope, type Scope } from '../access/scope.ts'
import type { Field } from '../fields/queries.ts'
import { invalidField, type Problem } from '../problems.ts'
import { textFormats } from '../text/formats.ts'
import { sensitiveMembers } from './details.ts'
import type { ListQuery } from './list-query.ts'
import { keyOf, type Sort, within } from './lists/asked.ts'
import { type ListColumn, listColumns, plainColumns } from './lists/columns.ts'
import { type Condition, optionalFields, type StudentFilter } from './lists/filter.ts'
import { ownColumns, ownConditions, sensitiveNames } from './own-field-filters.ts'

/** A list that the caller may read. */
export interface ListRequest {
  /** The classes that are listed. */
  readonly scope: Scope
  readonly filter: StudentFilter
  readonly sort: Sort
  readonly columns: readonly ListColumn[]
}

/**
 * The list that a query asks for, on a route whose second permission is `students.sensitive`.
 * @param fields the school's own fields that it may name
 * @throws Problem validation_failed for columns that are not there or stand twice; permission_denied where a column,
 * a filter or the order tells something sensitive, and the caller may not see that of all classes asked for
 */
export function listRequest(
  query: ListQuery,
  { scope, scopeBesides }: Pick<Caller, 'scope' | 'scopeBesides'>,
  fields: readonly Field[] = [],
): ListRequest {
  const { search, class_id: classIds, guardian, sort = 'id' } = query
  const listed = guardian === undefined ? scope : sensitiveScope(scope, scopeBesides)
  const columns = query.columns === undefined ? plainColumns : columnsNamed(query.columns.split(','), fields)
  const conditions = [...conditionsIn(query), ...ownConditions(query, fields)]
  const told = [keyOf(sort), ...columns.map(({ name }) => name), ...conditions.map(({ field }) => field)]
  const ofOwn = sensitiveNames(fields)
  const isSensitive = (name: string) => sensitive.has(name) || ofOwn.includes(name)
  if (told.some(isSensitive) && !includesScope(scopeBesides, within(listed, classIds)))
    throw permissionDenied('students.sensitive')
  return { scope: listed, filter: { search, classIds, guardian, conditions }, sort, columns }
}

/**
 * The classes in which a caller sees all of a student: only those are listed by guardian.
 * @throws Problem permission_denied where there is none
 */
function sensitiveScope(scope: Scope, scopeBesides: Scope): Scope {
  if (scopeBesides.length === 0) throw permissionDenied('students.sensitive')
  return commonScope(scope, scopeBesides)
}

const sensitive: ReadonlySet<string> = new Set(sensitiveMembers)

const columnsByName = new Map(listColumns.map((column) => [column.name, column]))

function columnsNamed(names: readonly string[], fields: readonly Field[]): ListColumn[] {
  const own = ownColumns(fields)
  const columns = names.flatMap(
    (name) => columnsByName.get(name) ?? own.find((column) => column.name === name) ?? [],
  )
  if (columns.length < names.length || new Set(names).size < names.length) throw unknownColumn(own)
  return columns
}

function unknownColumn(own: readonly ListColumn[]): Problem {
  const accepted = [...columnsByName.keys(), ...own.map(({ name }) => name)]
  const detail = `must name columns, each once, with commas between; accepted are: ${accepted.join(', ')}`
  return invalidField('/columns', { code: 'not_allowed', detail, params: { accepted } })
}

/** What each parameter that is a filter asks for. */
const conditionsByName = new Map<string, (value: string) => Condition>([
  ['gender', (value) => ({ field: 'gender', test: '=', value: textFormats['short-text'].normalise(value) })],
  ['date_of_birth.from', (value) => ({ field: 'date_of_birth', test: '>=', value })],
  ['date_of_birth.to', (value) => ({ field: 'date_of_birth', test: '<=', value })],
  ...optionalFields.map((field): [string, (value: string) => Condition] => [
    `${field}.empty`,
    (value) => ({ field, test: value === 'true' ? 'is null' : 'is not null' }),
  ]),
])

function conditionsIn(query: ListQuery): Condition[] {
  return Object.entries(query).flatMap(
    ([name, value]) => conditionsByName.get(name)?.(value as unknown as string) ?? [],
  )
}
