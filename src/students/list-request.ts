import type { CallerScopes } from '../access/authority.ts'
import { permissionDenied } from '../access/denials.ts'
import { commonScope, includesScope, type Scope } from '../access/scope.ts'
import type { Db } from '../db/tables.ts'
import { pageRequest } from '../http/resource.ts'
import { allOrFaults } from '../http/validation.ts'
import { invalidField, type Problem } from '../problems.ts'
import { hasTooFewDigits, leastDigits } from '../text/phones.ts'
import { patternsOf } from '../text/search-words.ts'
import { sensitiveMembers } from './details.ts'
import { type FieldFilter, fieldFilters, type ListQuery } from './list-query.ts'
import { type Asked, askedFor, keyOf, type ListRequest, readGuardian, within } from './lists/asked.ts'
import { type ListColumn, listColumns, plainColumns } from './lists/columns.ts'
import type { Condition } from './lists/filter.ts'
import { askableFields, ownColumns, ownConditions, ownPrefix, sensitiveNames } from './own-field-filters.ts'

/**
 * The page that a query asks for, on a route whose second permission is `students.sensitive`.
 * @returns undefined where nobody can be found
 * @throws Problem as `listRequest` does, and validation_failed for a search of too many words
 */
export async function askedPage(db: Db, query: ListQuery, caller: CallerScopes): Promise<Asked | undefined> {
  return askedFor(await listRequest(db, query, caller), pageRequest(query))
}

/**
 * The list that a query asks for.
 * @throws Problem validation_failed as `checkFilters`, and for columns that are not there or stand twice.
 * permission_denied for a column, a filter or an order that tells what the caller may not see of all these classes.
 */
export async function listRequest(
  db: Db,
  query: ListQuery,
  { scope, scopeBesides }: CallerScopes,
): Promise<ListRequest> {
  const { search, class_id: classIds, guardian, sort = 'id' } = query
  if (Object.keys(query).every((name) => open.has(name)))
    return { classes: within(scope, classIds), search, sort: 'id', columns: plainColumns }
  const own = namesOwnFields(query) ? await askableFields(db) : undefined
  const [columns, ofOwn] = allOrFaults(
    () =>
      query.columns === undefined
        ? plainColumns
        : columnsNamed(query.columns.split(','), own && ownColumns(own)),
    () => (own === undefined ? [] : ownConditions(query, own)),
    () => checkFilters(query),
  )
  const classes = within(guardian === undefined ? scope : sensitiveScope(scope, scopeBesides), classIds)
  const conditions = [...conditionsIn(query), ...ofOwn]
  const told = [keyOf(sort), ...columns.map(({ name }) => name), ...conditions.map(({ field }) => field)]
  const ownSensitive = own === undefined ? [] : sensitiveNames(own)
  const isSensitive = (name: string) => sensitive.has(name) || ownSensitive.includes(name)
  if (told.some(isSensitive) && !includesScope(scopeBesides, classes))
    throw permissionDenied('students.sensitive')
  return { classes, search, guardian, conditions, sort, columns }
}

/** Parameters that tell nothing more of students than what every list shows of them. */
const open: ReadonlySet<string> = new Set(['page', 'per_page', 'search', 'class_id'])

/** The filters in which more can be wrong than a schema says. */
type CheckedFilters = Pick<ListQuery, 'search' | 'guardian' | 'date_of_birth.from' | 'date_of_birth.to'>

/**
 * @param at where the filters stand in what was sent, as a pointer.
 * @throws Problem validation_failed for days in the wrong order, for too many words, and for too few digits alone of a
 * guardian.
 */
export function checkFilters(filters: CheckedFilters, at = ''): void {
  const { search = '', guardian = '' } = filters
  allOrFaults(
    () => checkDays(filters, at),
    () => patternsOf(search, `${at}/search`),
    () => readGuardian(guardian, `${at}/guardian`),
    () => checkDigits(guardian, `${at}/guardian`),
  )
}

function checkDays(
  { 'date_of_birth.from': from = '', 'date_of_birth.to': to = from }: CheckedFilters,
  at: string,
): void {
  if (from <= to) return
  const detail = 'must not be before date_of_birth.from'
  throw invalidField(`${at}/date_of_birth.to`, { code: 'invalid', detail })
}

function checkDigits(guardian: string, pointer: string): void {
  if (!hasTooFewDigits(guardian)) return
  const detail = `must have at least ${leastDigits} digits, where it has no letters`
  throw invalidField(pointer, { code: 'too_short', detail, params: { limit: leastDigits } })
}

/** Whether a parameter or a column is of a field of the school's own. */
function namesOwnFields(query: ListQuery): boolean {
  const names = [...Object.keys(query), ...(query.columns?.split(',') ?? [])]
  return names.some((name) => name.startsWith(ownPrefix))
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

function columnsNamed(names: readonly string[], own: readonly ListColumn[] = []): ListColumn[] {
  const columns = names.flatMap(
    (name) => columnsByName.get(name) ?? own.find((column) => column.name === name) ?? [],
  )
  if (columns.length < names.length || new Set(names).size < names.length) throw unknownColumn(names, own)
  return columns
}

function unknownColumn(names: readonly string[], own: readonly ListColumn[]): Problem {
  const accepted = [...columnsByName.keys(), ...own.map(({ name }) => name)]
  // Own fields are read only where the request names one.
  const shown = own.length > 0 ? accepted : [...accepted, 'fields.KEY']
  const wrong = names.findIndex((name, i) => !accepted.includes(name) || names.indexOf(name) < i) + 1
  const detail = `must name columns, each once, with commas between; number ${wrong} is none, or stands before; accepted are: ${shown.join(', ')}`
  return invalidField('/columns', { code: 'not_allowed', detail, params: { accepted } })
}

function conditionsIn(query: ListQuery): Condition[] {
  const filters: Readonly<Record<string, FieldFilter>> = fieldFilters
  return Object.entries(query).flatMap(([name, value]) => filters[name]?.asks(String(value)) ?? [])
}
