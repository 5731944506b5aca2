import type { SQLInputValue } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { ReadingSqliteAdapter, SqliteReaders } from './sqlite-readers.ts'
import type { SqliteState } from './sqlite-state.ts'
import { ToldRows } from './sqlite-told-rows.ts'
import { SqliteWriter, type Turn } from './sqlite-writer.ts'
import type { WriterSettings } from './sqlite-writing-thread.ts'
import { checkedAfterwards, endsWork, heldBack } from './statement-marks.ts'

/** Kysely on `node:sqlite`: reads at once on this thread, transactions on the writing thread. */
export function sqliteDialect(
  settings: WriterSettings,
  state: SqliteState,
  onLost: (error: Error) => void,
): Dialect {
  const readers = new SqliteReaders(settings.path, { state })
  return {
    createAdapter: () => new ReadingSqliteAdapter(readers, state),
    createDriver: () => new SqliteDriver(settings, state, readers, onLost),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

class SqliteDriver implements Driver {
  readonly #state: SqliteState
  /** None where the file is only read: it would write when it is closed. */
  readonly #writer: SqliteWriter | undefined
  readonly #readers: SqliteReaders
  readonly #told: ToldRows

  constructor(
    settings: WriterSettings,
    state: SqliteState,
    readers: SqliteReaders,
    onLost: (error: Error) => void,
  ) {
    this.#state = state
    this.#readers = readers
    this.#told = new ToldRows((statement) => readers.all(statement))
    if (!state.isReadOnly)
      this.#writer = new SqliteWriter(settings, state, onLost, () => readers.endSnapshot())
  }

  async init() {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#readers, this.#told)
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    this.#state.admitWrite()
    connection.turn = await this.#writer!.enter()
    connection.turn.onStaleRead = this.#told.forget
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.turn!.commit()
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    await connection.turn!.rollback()
  }

  async releaseConnection() {}

  async destroy() {
    this.#state.close()
    await this.#readers.close()
    await this.#writer?.close()
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #readers: SqliteReaders
  readonly #told: ToldRows
  turn: Turn | undefined

  constructor(readers: SqliteReaders, told: ToldRows) {
    this.#readers = readers
    this.#told = told
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.turn === undefined) return { rows: this.#readers.all(query) as Row[] }
    if (this.turn.hasEnded) {
      // A work that has ended can still read, as anybody: the works before it have committed by then.
      await this.turn.committed.promise
      return { rows: this.#readers.all(query) as Row[] }
    }
    const parameters = query.parameters as SQLInputValue[]
    if (query.sql.startsWith(checkedAfterwards)) {
      const { rows, check } = this.#told.tell(query)
      this.turn.check(check)
      return { rows: rows as Row[] }
    }
    if (query.sql.startsWith(heldBack)) {
      this.turn.holdBack({ sql: query.sql, parameters })
      return { rows: [] }
    }
    const { rows, changes } = query.sql.startsWith(endsWork)
      ? await this.turn.finish({ sql: query.sql, parameters })
      : await this.turn.execute(query.sql, parameters)
    return { rows: (rows ?? []) as Row[], ...(changes !== undefined && { numAffectedRows: BigInt(changes) }) }
  }

  // biome-ignore lint/correctness/useYield: SQLite answers from memory, and nothing streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}
