import { type Compilable, type CompiledQuery, sql } from 'kysely'
import { type Placeholders, prepareStatement } from './prepare.ts'
import { sqliteReadersOf } from './sqlite.ts'
import type { BoundStatement, PageRead } from './sqlite-reader.ts'
import type { Db } from './tables.ts'

/**
 * A LIMIT that stands in the statement costs SQLite a quarter less than one that is bound: so many different
 * ones have a statement of their own, which is more than programs ask for.
 */
const maxLimits = 8

/** Which rows of a list: bound to every page's statement. */
export interface PageValues {
  readonly limit: number
  readonly offset: number
}

/** Rows of a list, and how many it has in all at the same moment. */
export interface PageRows<Row> {
  readonly rows: Row[]
  readonly total: number
}

/** The two statements of a page. */
export interface PageStatements<Row> {
  readonly page: Compilable<Row>
  readonly total: Compilable<{ total: number }>
}

/**
 * Prepares a page for SQLite, where two statements in one snapshot cost less than one that joins them.
 * @param isCounted whether the total is counted where the page is full; else it is that of the page
 * @returns a function that reads a page; one that has a `name` may take long, and is read beside the event
 * loop unless the page of that name was quick the last time
 */
export function prepareSqlitePage<Values extends PageValues, Row>(
  build: (db: Db, values: Placeholders<Values>) => PageStatements<Row>,
  isCounted = true,
): (db: Db, values: Values, name?: string) => Promise<PageRows<Row>> {
  const pageOfAny = prepareStatement<Values, Row>((db, values) => build(db, values).page)
  const total = prepareStatement<Values, { total: number }>((db, values) => build(db, values).total)
  const pages = new Map<number, typeof pageOfAny>()

  function pageOf(limit: number): typeof pageOfAny {
    const known = pages.get(limit)
    if (known !== undefined || pages.size === maxLimits) return known ?? pageOfAny
    const page = prepareStatement<Values, Row>((db, values) => build(db, values).page, {
      limit: sql.lit(limit),
    })
    pages.set(limit, page)
    return page
  }

  return async (db, values, name) => {
    const readers = sqliteReadersOf(db)!
    const { limit, offset } = values
    const page = pageOf(limit)(db, values)
    const counted = isCounted && { total: textOf(total(db, values)) }
    const read: PageRead = { page: textOf(page), ...counted, limit, offset }
    const found = name === undefined ? readers.page(read) : await readers.pageBeside(read, name)
    return found as PageRows<Row>
  }
}

/** What a thread is sent of a statement. */
function textOf({ sql, parameters }: CompiledQuery): BoundStatement {
  return { sql, parameters }
}
