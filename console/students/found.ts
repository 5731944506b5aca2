import { effect, signal } from '@preact/signals'
import { listStudents, type Pagination, type StudentRow } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { address, goTo, studentPath, studentsPath } from '../frame/address.ts'
import { may, session, visit } from '../session/session.ts'
import { usualColumns, withName } from './columns.ts'
import { type Asked, askedOf, change, type ListQuery, listQuery } from './query.ts'
import { listFocus } from './search.ts'

/** A row of the list; an own field stands in it under its own key, `fields.house`. */
export type Row = StudentRow & { readonly id: number; readonly name: string }

/** A page of students that was found, and for what. */
export interface Found {
  readonly query: ListQuery
  /** What the API was asked for, but for the page. */
  readonly asked: Asked
  /** What is shown of each, in this order. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly pagination: Pagination
  /** Nobody is called so: these have a guardian who is. */
  readonly isByGuardian: boolean
  /** Where the list is. */
  readonly hash: string
}

/** What was found last: it stays until something else is. */
export const found = signal<Found | undefined>(undefined)
export const isSearching = signal(false)
export const failure = signal<Failure | undefined>(undefined)

let asked = 0
let current: AbortController | undefined

// The next person sees nothing of it, nor of what is still asked for.
visit.subscribe(() => {
  asked++
  current?.abort()
  isSearching.value = false
  found.value = undefined
  failure.value = undefined
})

/** What a row always has, beside the columns that are shown. */
const always = ['id', 'name', 'preferred_name', 'family_name', 'given_name', 'class_id']

function ask({ page, perPage, columns, classIds }: ListQuery, filter: Asked, signal: AbortSignal) {
  const shown = new Set([...always, ...(columns ?? usualColumns([], classIds))])
  const query = { ...filter, page, per_page: perPage, columns: [...shown].join(',') }
  return call(() => listStudents({ query, signal }), signal)
}

/** Finds what is asked for now. An answer that comes after a newer question is dropped. */
export async function find(): Promise<void> {
  const place = ++asked
  current?.abort()
  current = new AbortController()
  const { signal } = current
  const query = listQuery(address.value.query)
  const hash = location.hash
  isSearching.value = true
  const { search } = query
  let filter = askedOf(query)
  let came = await ask(query, filter, signal)
  let isByGuardian = false
  if (
    came.is === 'done' &&
    came.data.pagination.total === 0 &&
    search &&
    !filter.guardian &&
    may('students.sensitive')
  ) {
    const { search: _, ...besides } = filter
    const asOther: Asked = { ...besides, guardian: search }
    const others = await ask(query, asOther, signal)
    isByGuardian = others.is === 'done' && others.data.pagination.total > 0
    if (isByGuardian) [came, filter] = [others, asOther]
  }
  if (place !== asked) return
  isSearching.value = false
  failure.value = came.is === 'failed' ? came.failure : undefined
  if (came.is === 'failed') return
  const { data, pagination } = came.data
  if (data.length === 0 && pagination.total > 0) return change({ page: String(pagination.total_pages) })
  const rows = data as Row[]
  const columns = withName(query.columns ?? usualColumns(rows, query.classIds))
  found.value = { query, asked: filter, columns, rows, pagination, isByGuardian, hash }
  openOnlyHit()
}

function openOnlyHit(): void {
  if (isSearching.value || !listFocus.wantsOnlyHit) return
  listFocus.wantsOnlyHit = false
  const { rows = [], pagination } = found.value ?? {}
  if (pagination?.total === 1 && rows[0]) goTo(studentPath(rows[0].id))
}

/** Finds anew whenever the address of the list changes. @returns what ends it */
export function follow(): () => void {
  listFocus.onOpen = openOnlyHit
  const end = effect(() => {
    if (address.value.screen === 'students' && session.value.is === 'in') void find()
  })
  return () => {
    end()
    listFocus.onOpen = () => {}
  }
}

/** Where a student stands in the list that was seen last. */
export interface Place {
  readonly place: number
  readonly total: number
  /** Who stands beside: an id, or `beyond` where the page of the list ends. */
  readonly previous: number | 'beyond' | undefined
  readonly next: number | 'beyond' | undefined
}

export function placeOf(id: number): Place | undefined {
  const { value } = found
  const at = value?.rows.findIndex((row) => row.id === id) ?? -1
  if (value === undefined || at === -1) return undefined
  const { page, per_page, total } = value.pagination
  const place = (page - 1) * per_page + at + 1
  return {
    place,
    total,
    previous: value.rows[at - 1]?.id ?? (place > 1 ? 'beyond' : undefined),
    next: value.rows[at + 1]?.id ?? (place < total ? 'beyond' : undefined),
  }
}

/** Turns the page of the list that was seen last, and goes to the student who comes next there. @returns why not */
export async function goBeyond(by: -1 | 1): Promise<Failure | undefined> {
  const { value: before } = found
  if (before === undefined) return undefined
  const query = { ...before.query, page: before.pagination.page + by }
  const came = await ask(query, before.asked, new AbortController().signal)
  if (came.is === 'failed') return came.failure
  const rows = came.data.data as Row[]
  const next = rows.at(by === 1 ? 0 : -1)
  if (found.value !== before || next === undefined) return undefined
  const [path = '', asked] = before.hash.split('?')
  const parameters = new URLSearchParams(asked)
  parameters.set('page', String(query.page))
  const hash = `${path || studentsPath}?${parameters}`
  found.value = { ...before, query, rows, pagination: came.data.pagination, hash }
  goTo(studentPath(next.id))
  return undefined
}
