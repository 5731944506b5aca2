import type { SQLInputValue } from 'node:sqlite'
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
import { SqliteReaders } from './sqlite-readers.ts'
import { SqliteWriter, type Turn } from './sqlite-writer.ts'
import type { WriterSettings } from './sqlite-writing-thread.ts'
import type { Db } from './tables.ts'

/** Reads run beside one another on the reading connections; writes queue for the writing one. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  /** Who reads, for statements that are prepared once and go past Kysely. */
  readonly readers: SqliteReaders

  constructor(readers: SqliteReaders) {
    super()
    this.readers = readers
  }

  override get supportsMultipleConnections() {
    return true
  }
}

/** The readers of a handle that is not in a transaction. @returns undefined in one, and on PostgreSQL */
export function sqliteReadersOf(db: Db): SqliteReaders | undefined {
  const { adapter } = db.getExecutor()
  return adapter instanceof ConcurrentSqliteAdapter && !db.isTransaction ? adapter.readers : undefined
}

/** Kysely on `node:sqlite`: reads at once on this thread, transactions on the writing thread. */
export function sqliteDialect(settings: WriterSettings, onLost: (error: Error) => void): Dialect {
  const readers = new SqliteReaders(settings.path)
  return {
    createAdapter: () => new ConcurrentSqliteAdapter(readers),
    createDriver: () => new SqliteDriver(settings, readers, onLost),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

class SqliteDriver implements Driver {
  readonly #writer: SqliteWriter
  readonly #readers: SqliteReaders

  constructor(settings: WriterSettings, readers: SqliteReaders, onLost: (error: Error) => void) {
    this.#readers = readers
    this.#writer = new SqliteWriter(settings, onLost, () => readers.endSnapshot())
  }

  async init() {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#readers)
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
    await this.#readers.close()
    await this.#writer.close()
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #readers: SqliteReaders
  turn: Turn | undefined

  constructor(readers: SqliteReaders) {
    this.#readers = readers
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.turn === undefined) return { rows: this.#readers.all(query) as Row[] }
    const { rows, changes } = await this.turn.execute(query.sql, query.parameters as SQLInputValue[])
    return { rows: (rows ?? []) as Row[], ...(changes !== undefined && { numAffectedRows: BigInt(changes) }) }
  }

  // biome-ignore lint/correctness/useYield: SQLite answers from memory, and nothing streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}
