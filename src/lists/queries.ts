import type { Selectable } from 'kysely'
import { type Page, type PageRequest, pageOf } from '../db/pages.ts'
import type { Db, Instant, Tables } from '../db/tables.ts'
import { Problem } from '../problems.ts'
import type { Sort } from '../students/lists/asked.ts'
import type { Filters } from './parameters.ts'

/** How many lists there may be. */
export const maxLists = 200

/** How a list is printed. */
export interface Print {
  readonly title: string | null
  readonly orientation: 'portrait' | 'landscape'
  readonly rows_per_page: number | null
}

/** What a list asks of the list of students. */
export interface ListContent {
  readonly name: string
  readonly filters: Filters
  /** Null: those that a list of students has without being asked. */
  readonly columns: string[] | null
  readonly order: Sort
  readonly print: Print
}

/** A named list. */
export interface NamedList extends ListContent {
  readonly id: number
  readonly version: number
  readonly updated_at: Instant
}

/** One page of the lists, in the order of ids, and the exact total. */
export async function pageOfLists(db: Db, where: PageRequest): Promise<Page<NamedList>> {
  const { items, total } = await pageOf(selectLists(db).orderBy('id'), where)
  return { items: items.map(toList), total }
}

/** @throws Problem list_not_found */
export async function getList(db: Db, id: number): Promise<NamedList> {
  const row = await selectLists(db).where('id', '=', id).executeTakeFirst()
  if (row !== undefined) return toList(row)
  throw new Problem('list_not_found', 'There is no list with this id; GET /api/lists lists the lists.')
}

const selectLists = (db: Db) => db.selectFrom('named_lists').selectAll()

function toList(row: Selectable<Tables['named_lists']>): NamedList {
  const { id, name, filters, columns, sorted_by, print, version, updated_at } = row
  return {
    id,
    name,
    filters: JSON.parse(filters),
    columns: columns === null ? null : JSON.parse(columns),
    order: sorted_by as Sort,
    print: JSON.parse(print),
    version,
    updated_at,
  }
}
