import { type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Where in a list: `page` from 1, `perPage` from 1 to 1000. */
export interface PageRequest {
  readonly page: number
  readonly perPage: number
}

/** One page of a list, and how many there are in all at the same moment. */
export interface Page<Item> {
  readonly items: Item[]
  readonly total: number
}

/** One page of a query's rows, in its order, and how many it has in all: one statement, where the page has rows. */
export async function pageOf<Names extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Names, Row>,
  { page, perPage }: PageRequest,
): Promise<Page<Row>> {
  const items = await query
    .select(sql<number>`count(*) over ()`.as('total_of_all'))
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const total = items[0]?.total_of_all ?? (page === 1 ? 0 : await countOf(query))
  return { items: items as Row[], total }
}

/** Whether a query has any rows. */
export async function hasRows(query: SelectQueryBuilder<Tables, keyof Tables, unknown>): Promise<boolean> {
  return (await query.limit(1).execute()).length > 0
}

/** How many rows a query has. */
export async function countOf<Names extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Names, unknown>,
): Promise<number> {
  const counted = query.clearSelect().clearOrderBy()
  const { count } = await counted.select((q) => q.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}
