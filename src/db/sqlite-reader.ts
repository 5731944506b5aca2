import { statSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import type { CompiledQuery } from 'kysely'
import { type FileIdentity, isSameFile } from './file-place.ts'
import { DatabaseStateError, isSqliteFileFault } from './violations.ts'

/** A statement as it is sent: its words, and the values bound to them. */
export type BoundStatement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** A page and how many rows there are in all: one statement, or two that are answered from one snapshot. */
export interface PageRead {
  /** Gives a `PageRow`. */
  readonly page: BoundStatement
  /**
   * Gives `total`, and what else is to be told with it, or no row; run only where the page does not tell the total.
   * Absent where the page always does, or nobody asks for it.
   */
  readonly total?: BoundStatement
  readonly limit: number
  readonly offset: number
}

/** How many rows a page has, and these as a JSON array in UTF-8. */
export interface PageRow {
  readonly count: number
  readonly json: Uint8Array
  /** How many rows there are in all, where the statement of the page tells it. */
  readonly total?: number
}

/** A page as it was read. */
export interface FoundPage {
  readonly json: Uint8Array
  /** How many rows there are in all; undefined where the statement of the total was run and gave no row. */
  readonly total: number | undefined
  /** The row of that statement, where it was run. */
  readonly counted?: Readonly<Record<string, number>> | undefined
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
const usualCacheKib = 8_000

/** How many prepared statements a connection keeps; the limit of a page stands in its SQL, so there may be more. */
const maxStatements = 500

/** What is opened at once, and given up at once. */
interface Connection {
  readonly db: DatabaseSync
  readonly begin: StatementSync
  readonly end: StatementSync
  readonly statements: Map<string, KeptStatement>
}

/** @throws DatabaseStateError when another file is at the path than the expected one */
function connect(path: string, expected: FileIdentity | undefined, cacheKib: number): Connection {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 250 })
  try {
    if (expected !== undefined && !isSameFile(expected, statSync(path, { bigint: true })))
      throw new DatabaseStateError('database_file_gone', `another file is at ${path}`)
    db.exec(`pragma trusted_schema = off; pragma cache_size = -${cacheKib}`)
    return { db, begin: db.prepare('begin'), end: db.prepare('commit'), statements: new Map() }
  } catch (error) {
    db.close()
    throw error
  }
}

function prepared({ db, statements }: Connection, sql: string): KeptStatement {
  const known = statements.get(sql)
  if (known !== undefined) return known
  const kept = keep(db.prepare(sql))
  if (statements.size >= maxStatements) statements.clear()
  statements.set(sql, kept)
  return kept
}

/**
 * A connection that can't write, so that a write that misses the one door fails; it keeps its statements. After a
 * fault of the file or its disk it is opened anew: nothing that was read amiss is kept.
 */
export class SqliteReader {
  readonly #path: string
  readonly #file: FileIdentity | undefined
  readonly #cacheKib: number
  #connection: Connection | undefined
  #isReading = false

  /** @param file the only one that is read */
  constructor(path: string, file?: FileIdentity, cacheKib = usualCacheKib) {
    this.#path = path
    this.#file = file
    this.#cacheKib = cacheKib
    this.#connection = connect(path, file, cacheKib)
  }

  /**
   * Reads at once. All reads of one turn of the event loop share a snapshot, which costs less than one each. No
   * snapshot is older than the poll that found the request (decision 0012).
   */
  all({ sql, parameters }: BoundStatement): unknown[] {
    try {
      this.#connection ??= connect(this.#path, this.#file, this.#cacheKib)
      if (!this.#isReading) {
        this.#connection.begin.run()
        this.#isReading = true
        setImmediate(this.endSnapshot)
      }
      const { statement, asObjects } = prepared(this.#connection, sql)
      return asObjects(statement.all(...(parameters as SQLInputValue[])) as unknown as SQLOutputValue[][])
    } catch (error) {
      if (isSqliteFileFault(error)) this.#giveUp()
      throw error
    }
  }

  /** The names of the columns that a statement gives. */
  columnsOf({ sql }: BoundStatement): string[] {
    try {
      this.#connection ??= connect(this.#path, this.#file, this.#cacheKib)
      return prepared(this.#connection, sql)
        .statement.columns()
        .map(({ name }) => name)
    } catch (error) {
      if (isSqliteFileFault(error)) this.#giveUp()
      throw error
    }
  }

  /** A page that is not full says by itself how many rows there are. */
  page({ page, total, limit, offset }: PageRead): FoundPage {
    const [{ count, json, total: told }] = this.all(page) as [PageRow]
    if (total === undefined) return { json, total: told }
    if (count < limit && (count > 0 || offset === 0)) return { json, total: offset + count }
    const [counted] = this.all(total) as [Readonly<Record<string, number>>?]
    return { json, total: counted?.total, counted }
  }

  /** The next read sees everything that is committed by then. */
  readonly endSnapshot = (): void => {
    if (!this.#isReading) return
    this.#isReading = false
    try {
      this.#connection?.end.run()
    } catch {
      this.#giveUp()
    }
  }

  #giveUp(): void {
    this.#isReading = false
    this.#connection?.db.close()
    this.#connection = undefined
  }

  close(): void {
    this.#giveUp()
  }
}
