import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { WriterSettings } from './sqlite-thread.ts'
import { SqliteWriter, type Turn } from './sqlite-writer.ts'

/** Reads run beside one another on the reading connection; writes queue for the writing one. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
}

/** Kysely on `node:sqlite`: reads at once on this thread, transactions on the writing thread. */
export function sqliteDialect(settings: WriterSettings, onLost: (error: Error) => void): Dialect {
  return {
    createAdapter: () => new ConcurrentSqliteAdapter(),
    createDriver: () => new SqliteDriver(settings, onLost),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

class SqliteDriver implements Driver {
  readonly #writer: SqliteWriter
  readonly #reader: SqliteReader

  constructor(settings: WriterSettings, onLost: (error: Error) => void) {
    this.#writer = new SqliteWriter(settings, onLost)
    this.#reader = new SqliteReader(settings.path)
  }

  async init() {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#reader)
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    connection.turn = await this.#writer.enter()
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.turn!.commit()
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    await connection.turn!.rollback()
  }

  async releaseConnection() {}

  async destroy() {
    this.#reader.close()
    await this.#writer.close()
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #reader: SqliteReader
  turn: Turn | undefined

  constructor(reader: SqliteReader) {
    this.#reader = reader
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.turn === undefined)
      return { rows: this.#reader.all(sql, parameters as SQLInputValue[]) as Row[] }
    const { rows, changes } = await this.turn.execute(sql, parameters as SQLInputValue[])
    return { rows: (rows ?? []) as Row[], ...(changes !== undefined && { numAffectedRows: BigInt(changes) }) }
  }

  // biome-ignore lint/correctness/useYield: SQLite answers from memory, and nothing streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}

/** The reading connection: it cannot write, so a write that misses the one door fails. */
class SqliteReader {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: 250 })
    this.#db.exec('pragma trusted_schema = off')
  }

  all(sql: string, parameters: readonly SQLInputValue[]): unknown[] {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      if (this.#statements.size < 500) this.#statements.set(sql, statement)
    }
    return statement.all(...parameters)
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }
}
