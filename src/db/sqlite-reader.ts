import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import type { CompiledQuery } from 'kysely'
import type { JsonPage } from './page.ts'

/** A statement as it is sent: its words, and the values bound to them. */
export type BoundStatement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** A page and how many rows there are in all: two statements that are answered from one snapshot. */
export interface PageRead {
  /** Gives a `PageRow`. */
  readonly page: BoundStatement
  /** Gives `total`; run only where the page does not tell it. Without it, only the page is counted. */
  readonly total?: BoundStatement
  readonly limit: number
  readonly offset: number
}

/** How many rows a page has, and these as a JSON array in UTF-8. */
export interface PageRow {
  readonly count: number
  readonly json: Uint8Array
}

/** A prepared statement, and what makes an object of each of its rows. */
interface KeptStatement {
  readonly statement: StatementSync
  readonly asObjects: (rows: SQLOutputValue[][]) => Record<string, SQLOutputValue>[]
}

/**
 * Rows come as arrays: the objects that `node:sqlite` makes are dictionaries, which take twice as long to make and
 * to serialise. What makes objects of them is written out for the statement's columns, whose names are our own,
 * so that V8 knows their shape before the first.
 */
function keep(statement: StatementSync): KeptStatement {
  statement.setReturnArrays(true)
  const members = statement.columns().map(({ name }, i) => `${JSON.stringify(name)}: row[${i}]`)
  const asObjects = new Function('rows', `return rows.map((row) => ({ ${members.join(', ')} }))`)
  return { statement, asObjects: asObjects as KeptStatement['asObjects'] }
}

/** How much of the file a connection keeps, in KiB, until another one commits; SQLite's 2000 are soon read through. */
const cacheKib = 8_000

/** A connection that can't write, so that a write that misses the one door fails; it keeps its statements. */
export class SqliteReader {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, KeptStatement>()
  readonly #begin: StatementSync
  readonly #end: StatementSync
  #isReading = false

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: 250 })
    this.#db.exec(`pragma trusted_schema = off; pragma cache_size = -${cacheKib}`)
    this.#begin = this.#db.prepare('begin')
    this.#end = this.#db.prepare('commit')
  }

  /**
   * Reads at once. All reads of one turn of the event loop share a snapshot, which costs less than one each; a
   * request reads none that is older than the look for requests that found it (decision 0012).
   */
  all({ sql, parameters }: BoundStatement): unknown[] {
    if (!this.#isReading) {
      this.#begin.run()
      this.#isReading = true
      setImmediate(this.endSnapshot)
    }
    let kept = this.#statements.get(sql)
    if (kept === undefined) {
      kept = keep(this.#db.prepare(sql))
      if (this.#statements.size < 500) this.#statements.set(sql, kept)
    }
    const { statement, asObjects } = kept
    return asObjects(statement.all(...(parameters as SQLInputValue[])) as unknown as SQLOutputValue[][])
  }

  /** A page that is not full says by itself how many rows there are. */
  page({ page, total, limit, offset }: PageRead): JsonPage {
    const [{ count, json }] = this.all(page) as [PageRow]
    const isLast = count < limit && (count > 0 || offset === 0)
    if (isLast || total === undefined) return { json, total: offset + count }
    const [counted] = this.all(total) as [{ total: number }]
    return { json, total: counted.total }
  }

  /** The next read sees everything that is committed by then. */
  readonly endSnapshot = (): void => {
    if (!this.#isReading) return
    this.#isReading = false
    if (this.#db.isTransaction) this.#end.run() // an I/O error has ended it
  }

  close(): void {
    this.endSnapshot()
    this.#statements.clear()
    this.#db.close()
  }
}
