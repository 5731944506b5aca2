import { sql } from 'kysely'
import type { Scope } from '../access/scope.ts'
import { isOneOf } from '../db/is-one-of.ts'
import type { Db } from '../db/tables.ts'
import type { Page, PageRequest } from '../http/paging.ts'
import { searchPatterns, searchText } from '../text/search-words.ts'
import { classColumns, type ListedClass, toClass } from './queries.ts'

/** The filter of a list of classes. */
export interface ClassList {
  readonly search: string
  /** Only those that are archived, or only those that are not. */
  readonly archived: boolean | undefined
}

/** One page in the order in which classes are shown, and how many there are; of those in the scope alone. */
export async function pageOfClasses(
  db: Db,
  scope: Scope,
  list: ClassList,
  { page, perPage }: PageRequest,
): Promise<Page<ListedClass>> {
  const patterns = searchPatterns(list.search)
  const offset = (page - 1) * perPage
  if (patterns.length === 0) return selectPage(db, scope, list, perPage, offset)
  // Labels are few and short, so they are folded when they are read, without a column or an index.
  const labels = await ordered(chosen(db, scope, list).select(['classes.id', 'classes.label'])).execute()
  const ids = labels.filter(({ label }) => holds(label, patterns)).map(({ id }) => id)
  return { items: await classesWith(db, ids.slice(offset, offset + perPage)), total: ids.length }
}

function holds(label: string, patterns: readonly string[]): boolean {
  const text = searchText(label)
  return patterns.every((pattern) => text.includes(pattern))
}

/** One statement, so that the total is of the same moment as the page, and is there for an empty page too. */
async function selectPage(
  db: Db,
  scope: Scope,
  list: ClassList,
  limit: number,
  offset: number,
): Promise<Page<ListedClass>> {
  const rows = await db
    .selectFrom(
      chosen(db, scope, list)
        .select((q) => q.fn.countAll<number>().as('total'))
        .as('totals'),
    )
    .leftJoin(
      ordered(chosen(db, scope, list).select(classColumns))
        .limit(limit)
        .offset(offset)
        .as('page'),
      (join) => join.onTrue(),
    )
    .selectAll()
    .orderBy('page.position')
    .orderBy('page.id')
    .execute()
  const items = rows.flatMap((row) => (isClass(row) ? toClass(row) : []))
  return { items, total: rows[0]!.total }
}

type ClassRow = Parameters<typeof toClass>[0]

function isClass<Row extends { id: number | null }>(row: Row): row is Row & ClassRow {
  return row.id !== null
}

async function classesWith(db: Db, ids: readonly number[]): Promise<ListedClass[]> {
  if (ids.length === 0) return []
  const isListed = isOneOf(db, 'classes.id', sql.val(ids.join()))
  const rows = await ordered(db.selectFrom('classes').where(isListed).select(classColumns)).execute()
  return rows.map(toClass)
}

function chosen(db: Db, classes: Scope, { archived }: ClassList) {
  let query = db.selectFrom('classes')
  if (classes !== 'all') query = query.where(isOneOf(db, 'classes.id', sql.val(classes.join())))
  return archived === undefined ? query : query.where('archived_at', archived ? 'is not' : 'is', null)
}

function ordered<Query extends { orderBy(column: 'classes.position' | 'classes.id'): Query }>(query: Query) {
  return query.orderBy('classes.position').orderBy('classes.id')
}
