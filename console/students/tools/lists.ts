import { signal } from '@preact/signals'
import {
  createList,
  deleteList,
  getList,
  type List,
  type ListFilters,
  type ListPatch,
  listLists,
  type NewList,
  updateList,
} from '../../../client/src/index.ts'
import { call, type Failure, type Outcome } from '../../api/calls.ts'
import { studentsPath } from '../../frame/address.ts'
import { code } from '../../language/language.ts'
import type { ReadRecord } from '../../parts/edit-form.tsx'
import { ownFields } from '../../session/session.ts'
import { columnChoices } from '../columns.ts'
import { found } from '../found.ts'
import { type ListQuery, listQuery } from '../query.ts'

/** The school's named lists, by name; undefined: not read yet. */
export const lists = signal<readonly List[] | undefined>(undefined)

const mostLists = 200

/** @returns why they could not be read */
export async function loadLists(): Promise<Failure | undefined> {
  const came = await call(() => listLists({ query: { per_page: mostLists } }))
  if (came.is === 'failed') return came.failure
  const { compare } = new Intl.Collator(code.value, { numeric: true })
  lists.value = [...came.data.data].sort((a, b) => compare(a.name, b.name))
  return undefined
}

/** Where a list is shown. The address has all of it, so that a link shows the same even when the list is changed. */
export function hashOf({ id, filters, columns, order }: Omit<List, 'name' | 'print' | 'version'>): string {
  const { class_id = [], ...others } = filters
  const query = new URLSearchParams({ list: String(id) })
  for (const one of class_id) query.append('class', String(one))
  for (const [name, value] of Object.entries(others)) query.append(name, String(value))
  query.append('sort', order)
  if (columns !== null) query.append('columns', columns.join(','))
  return `${studentsPath}?${query}`
}

type Content = Required<Pick<NewList, 'filters' | 'columns' | 'order'>>

/** What a list keeps of a view. */
function contentOf({ search, classIds, filters, columns, sort }: ListQuery): Content {
  const all: ListFilters = {
    ...(search !== '' && { search }),
    ...(classIds.length > 0 && { class_id: [...classIds] }),
    ...Object.fromEntries(filters),
  }
  return { filters: all, columns: [...(columns ?? found.value?.columns ?? [])], order: sort }
}

const asText = ({ filters, columns, order }: Content) =>
  JSON.stringify([Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)), columns, order])

/** Whether a view shows something else than the list, as far as the account sees it. */
export function differs(list: List, view: ListQuery): boolean {
  return asText(contentOf(viewOf(list))) !== asText(contentOf(view))
}

export async function fetchList(id: number): Promise<Outcome<ReadRecord<List>>> {
  const came = await call(() => getList({ path: { id } }))
  return came.is === 'failed' ? came : { ...came, data: { record: came.data.data, tag: came.tag } }
}

/** Makes a list of a view. @returns its id */
export async function makeList(name: string, view: ListQuery, key: string): Promise<Outcome<number>> {
  const body = { name, ...contentOf(view) }
  const came = await call(() => createList({ body, headers: { 'Idempotency-Key': key } }))
  return came.is === 'failed' ? came : { ...came, data: came.data.data.id }
}

/** @returns why not */
export async function patchList(id: number, body: ListPatch, tag: string): Promise<Failure | undefined> {
  const came = await call(() => updateList({ path: { id }, body, headers: { 'If-Match': tag } }))
  return came.is === 'failed' ? came.failure : undefined
}

/** The list as a view of the account that looks: without what it may not see. */
const viewOf = (list: List) => listQuery(new URLSearchParams(hashOf(list).split('?')[1]))

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** A patch of what the view changes. What the account may not see of the list, and what it left as it was, stays. */
export function patchTo(list: List, view: ListQuery): ListPatch {
  const [before, after] = [viewOf(list), view].map(contentOf) as [Content, Content]
  const was: Readonly<Record<string, unknown>> = list.filters
  const changed = Object.entries(after.filters).filter(([name, value]) => !same(was[name], value))
  const gone = Object.keys(was).filter((name) => !(name in after.filters))
  const columns = withUnseen(after.columns ?? [], list, view)
  return {
    filters: { ...Object.fromEntries(changed), ...Object.fromEntries(gone.map((name) => [name, null])) },
    ...(!same(before.columns, after.columns) && { columns }),
    ...(before.order !== after.order && { order: after.order }),
  }
}

/** These columns, with those of the list that the account may not see: each behind the one that it stood behind. */
function withUnseen(shown: readonly string[], list: List, view: ListQuery): string[] {
  const all = [...shown]
  const choices = [viewOf(list), view].map(({ classIds }) => columnChoices(classIds))
  const isSeen = (column: string) => choices.every((seen) => seen.includes(column))
  const isGone = (column: string) =>
    column.startsWith('fields.') && !ownFields.value.some(({ key }) => column === `fields.${key}`)
  for (const [at, column] of (list.columns ?? []).entries()) {
    if (all.includes(column) || isSeen(column) || isGone(column)) continue
    const before = list.columns!.slice(0, at).findLast((one) => all.includes(one))
    all.splice(before === undefined ? 0 : all.indexOf(before) + 1, 0, column)
  }
  return all
}

/** Changes or removes a list of the version that is shown: what others changed since is not overwritten. */
export async function actOn(list: List, what: ListPatch | 'remove'): Promise<Failure | undefined> {
  const read = await fetchList(list.id)
  if (read.is === 'failed') return read.failure
  const { record, tag } = read.data
  const match = record.version === list.version ? tag : `"${list.version}"`
  if (what !== 'remove') return patchList(list.id, what, match)
  const came = await call(() => deleteList({ path: { id: list.id }, headers: { 'If-Match': match } }))
  return came.is === 'failed' ? came.failure : undefined
}

/** Makes a list anew that was deleted. @returns why not */
export async function makeAgain({
  name,
  filters,
  columns,
  order,
  print,
}: List): Promise<Failure | undefined> {
  const came = await call(() => createList({ body: { name, filters, columns, order, print } }))
  return came.is === 'failed' ? came.failure : undefined
}
