import { type Compilable, type CompiledQuery, type Expression, type RawBuilder, sql } from 'kysely'
import type { Engine } from './migrations/index.ts'
import { compilable, type KnownValues, type Placeholders, prepareStatement } from './prepare.ts'
import type { Soon } from './soon.ts'
import { sqliteReadersOf } from './sqlite.ts'
import type { BoundStatement, PageRead, PageRow } from './sqlite-reader.ts'
import type { Db } from './tables.ts'

/** The limits that programs ask for: others are bound. */
const usualLimits = new Set([10, 20, 25, 50, 100, 200, 500, 1_000])

/**
 * Makes a page's statement for each usual limit, which then stands in it, as the offset 0 does. One that is bound costs
 * SQLite a quarter more, and PostgreSQL plans anew each time: without the values, it takes a tenth of all rows for what
 * is wanted.
 * @param make what makes a statement in which these values stand, by name
 */
export function perLimit<Made>(make: (known: KnownValues) => Made): (values: PageValues) => Made {
  const any = make({})
  const made = new Map<number, Made>()
  return ({ limit, offset }) => {
    if (!usualLimits.has(limit)) return any
    const key = offset === 0 ? limit : -limit
    let one = made.get(key)
    if (one === undefined) {
      one = make({ limit: sql.lit(limit), ...(offset === 0 && { offset: sql.lit(0) }) })
      made.set(key, one)
    }
    return one
  }
}

/** Which rows of a list: bound to every page's statement. */
export interface PageValues {
  readonly limit: number
  readonly offset: number
}

/** Rows of a list as a JSON array in UTF-8, and how many the list has in all at the same moment. */
export interface JsonPage {
  readonly json: Uint8Array
  readonly total: number
}

/** The two statements of a page. */
export interface PageStatements<Row> {
  readonly page: Expression<Row>
  readonly total: Compilable<{ total: number }>
}

/**
 * Prepares a page for SQLite, where two statements in one snapshot cost less than one that joins them.
 * @param members what the JSON has of each row: columns of the page, in this order
 * @param isCounted whether the total is counted where the page is full; else it is that of the page
 * @returns a function that reads a page; one that has a `name` may take long, and is read beside the event
 * loop unless the page of that name was quick the last time
 */
export function prepareSqlitePage<Values extends PageValues, Row>(
  build: (db: Db, values: Placeholders<Values>) => PageStatements<Row>,
  members: readonly (keyof Row & string)[],
  isCounted = true,
): (db: Db, values: Values, name?: string) => Soon<JsonPage> {
  const pageOf = perLimit((known) =>
    prepareStatement<Values, PageRow>(
      (db, values) => compilable(db, inJson('sqlite', build(db, values).page, members)),
      known,
    ),
  )
  const total = prepareStatement<Values, { total: number }>((db, values) => build(db, values).total)

  return (db, values, name) => {
    const readers = sqliteReadersOf(db)!
    const { limit, offset } = values
    const page = pageOf(values)(db, values)
    const counted = isCounted && { total: textOf(total(db, values)) }
    const read: PageRead = { page: textOf(page), ...counted, limit, offset }
    return name === undefined ? readers.page(read) : readers.pageBeside(read, name)
  }
}

/**
 * All rows of a page as one, by the database's own JSON functions, in the page's order. Value by value, twenty rows
 * took a third of the request, on SQLite since each text comes from behind a lock and goes by way of UTF-16.
 * @param members what the JSON has of each row: columns of the page, in this order
 */
export function inJson(
  engine: Engine,
  page: Expression<unknown>,
  members: readonly string[],
): RawBuilder<PageRow> {
  if (engine === 'postgres') {
    const columns = sql.join(members.map((member) => sql.ref(`rows.${member}`)))
    return sql`(select cast(coalesce(json_agg(page), '[]') as text) as json
      from (select ${columns} from ${page} as rows) as page)`
  }
  const pairs = members.map((member) => sql`${sql.lit(member)}, ${sql.ref(`page.${member}`)}`)
  return sql`select count(*) as count, cast(json_group_array(json_object(${sql.join(pairs)})) as blob) as json
    from ${page} as page`
}

/** What a thread is sent of a statement. */
function textOf({ sql, parameters }: CompiledQuery): BoundStatement {
  return { sql, parameters }
}
