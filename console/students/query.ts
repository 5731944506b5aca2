import type { ListStudentsData } from '../../client/src/index.ts'
import { address, show } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { mayForAll, ownFields } from '../session/session.ts'

/*
 * What the address says of the list: `search`, `class` (each class once), `sort`, `page`, `per` and `columns`. What is
 * as usual does not stand there.
 */

export type Sort = NonNullable<NonNullable<ListStudentsData['query']>['sort']>

/** What a list can be ordered by, of what it shows. */
export const sorts = ['name', 'family_name', 'admission_number', 'date_of_birth'] as const
export const pageSizes = [50, 100, 250] as const

const plainColumns = ['family_name', 'given_name', 'admission_number', 'class', 'former_names'] as const
const sensitiveColumns = ['date_of_birth', 'guardians', 'gender', 'email', 'address'] as const
type FixedColumn = (typeof plainColumns)[number] | (typeof sensitiveColumns)[number]
const usualColumns: readonly string[] = ['admission_number', 'class', 'date_of_birth', 'guardians']

/** The columns that the account may choose; the name always stands first. */
export function columnChoices(): readonly string[] {
  const seesAll = mayForAll('students.sensitive')
  const own = ownFields.value
    .filter(({ sensitive }) => seesAll || !sensitive)
    .map(({ key }) => `fields.${key}`)
  return [...plainColumns, ...(seesAll ? sensitiveColumns : []), ...own]
}

/** What a column is called. */
export function columnLabel(column: string): string {
  const key = /^fields\.(.*)/.exec(column)?.[1]
  if (key === undefined) return t().fields[column as FixedColumn]
  return ownFields.value.find((field) => field.key === key)?.label ?? key
}

export interface ListQuery {
  readonly search: string
  readonly classIds: readonly number[]
  readonly sort: Sort
  readonly page: number
  readonly perPage: number
  readonly columns: readonly string[]
}

const isSort = (text: string): text is Sort => sorts.some((one) => text === one || text === `-${one}`)

/** The list that an address asks for; what it says wrongly is as usual. */
export function listQuery(query: URLSearchParams): ListQuery {
  const sort = query.get('sort') ?? ''
  const perPage = Number(query.get('per'))
  const choices = columnChoices()
  const asked = query.get('columns')?.split(',') ?? usualColumns
  return {
    search: query.get('search') ?? '',
    classIds: query.getAll('class').map(Number).filter(Number.isSafeInteger),
    sort: isSort(sort) ? sort : 'name',
    page: Math.max(1, Math.trunc(Number(query.get('page'))) || 1),
    perPage: pageSizes.find((size) => size === perPage) ?? pageSizes[0],
    columns: choices.filter((column) => asked.includes(column)),
  }
}

/** Changes what the address asks for; another list begins at its first page. */
export function change(changes: Readonly<Record<string, string | readonly string[] | undefined>>): void {
  const next = new URLSearchParams(address.value.query)
  if (!('page' in changes)) next.delete('page')
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name)
    for (const one of [value ?? []].flat()) if (one !== '') next.append(name, one)
  }
  show(next)
}
