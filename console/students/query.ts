import type { ListStudentsData } from '../../client/src/index.ts'
import { address, show } from '../frame/address.ts'
import { ownFields, seesSensitive } from '../session/session.ts'
import { columnChoices } from './columns.ts'

/*
 * What the address says of the list: `search`, `class` (each class once), `sort`, `page`, `per`, `columns`, and `list`,
 * the named list that was opened. The other filters have the names that they have in the API. What is as usual does
 * not stand there.
 */

/** What the API is asked for. */
export type Asked = NonNullable<ListStudentsData['query']>
export type Sort = NonNullable<Asked['sort']>

/** What a list can be ordered by. */
export const sorts = ['name', 'family_name', 'admission_number', 'date_of_birth', 'created_at', 'id'] as const
export const pageSizes = [50, 100, 250] as const

/** Fields that may be empty, in the order in which they are offered. */
const plainOptional = ['preferred_name', 'given_name', 'family_name', 'former_names', 'identifiers'] as const
const sensitiveOptional = [
  'date_of_birth',
  'gender',
  'guardians',
  'guardian_phone',
  'email',
  'address',
  'notes',
] as const
export const optionalFields = [...plainOptional, ...sensitiveOptional] as const

/** Filters by one value, by their names in the API. */
export const valueFilters = ['date_of_birth.from', 'date_of_birth.to', 'gender', 'guardian'] as const

const isFilter = (name: string) =>
  (valueFilters as readonly string[]).includes(name) ||
  optionalFields.some((field) => name === `${field}.empty`) ||
  /^fields\.[a-z][a-z0-9_]*(\.empty)?$/.test(name)

/** One filter besides search and class: its name in the API, and its value. */
export type Filter = readonly [name: string, value: string]

export interface ListQuery {
  readonly search: string
  readonly classIds: readonly number[]
  readonly filters: readonly Filter[]
  readonly sort: Sort
  readonly page: number
  readonly perPage: number
  /** Undefined: those that are usual. */
  readonly columns: readonly string[] | undefined
  /** The id of the named list that was opened. */
  readonly list: number | undefined
}

const isSort = (text: string): text is Sort => sorts.some((one) => text === one || text === `-${one}`)

/** The list that an address asks for; what it says wrongly is as usual. */
export function listQuery(query: URLSearchParams): ListQuery {
  const sort = query.get('sort') ?? ''
  const perPage = Number(query.get('per'))
  const classIds = query.getAll('class').map(Number).filter(Number.isSafeInteger)
  const choices = columnChoices(classIds)
  const asked = query.get('columns')?.split(',')
  const isSeen = !sort.endsWith('date_of_birth') || seesSensitive(classIds)
  return {
    search: query.get('search') ?? '',
    classIds,
    filters: [...new Map([...query].filter(([name, value]) => isFilter(name) && value !== ''))],
    sort: isSort(sort) && isSeen ? sort : 'family_name',
    page: Math.max(1, Math.trunc(Number(query.get('page'))) || 1),
    perPage: pageSizes.find((size) => size === perPage) ?? pageSizes[0],
    columns: asked?.filter((column) => choices.includes(column)),
    list: Number(query.get('list')) || undefined,
  }
}

/** The filters as the API takes them. */
export function askedOf({ search, classIds, filters, sort }: ListQuery): Asked {
  return {
    ...(search !== '' && { search }),
    ...(classIds.length > 0 && { class_id: [...classIds] }),
    ...Object.fromEntries(filters),
    sort,
  }
}

/** Whether anything is filtered by. */
export const isFiltered = ({ search, classIds, filters }: ListQuery) =>
  search !== '' || classIds.length > 0 || filters.length > 0

type Changes = Readonly<Record<string, string | readonly string[] | undefined>>

/** Changes what the address asks for; another list begins at its first page. */
export function change(changes: Changes): void {
  const next = new URLSearchParams(address.value.query)
  if (!('page' in changes)) next.delete('page')
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name)
    for (const one of [value ?? []].flat()) if (one !== '') next.append(name, one)
  }
  show(next)
}

/** Changes how the students are shown: the page stays. */
export const changeColumns = (columns: readonly string[] | undefined) =>
  change({ columns: columns?.join(','), page: address.value.query.get('page') ?? '' })

/** Takes all filters away; the order and the columns stay. */
export function clearFilters(): void {
  const names = [...address.value.query.keys()].filter((name) => isFilter(name))
  change(Object.fromEntries(['search', 'class', ...names].map((name) => [name, undefined])))
}

/** The fields that may be empty and that the account sees, own ones too, as `fields.KEY`. */
export function optionalChoices(classIds: readonly number[]): readonly string[] {
  const seesAll = seesSensitive(classIds)
  const own = ownFields.value.filter(({ sensitive }) => seesAll || !sensitive)
  return [...plainOptional, ...(seesAll ? sensitiveOptional : []), ...own.map(({ key }) => `fields.${key}`)]
}
