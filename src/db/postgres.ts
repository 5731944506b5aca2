import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import type { OpenOptions } from './open.ts'
import { ReadingPostgresAdapter } from './postgres-adapter.ts'
import { cancelStatement } from './postgres-cancel.ts'
import { LoginClient, loginRefusal } from './postgres-login.ts'
import { PostgresPulse } from './postgres-pulse.ts'
import { PostgresReads, streamOf } from './postgres-reads.ts'
import { beginSession, limits } from './postgres-session.ts'
import { plannedEachTime } from './statement-marks.ts'
import { asDatabaseError, isConnectionFault, TimeLimitError } from './violations.ts'

type PostgresSettings = Required<Pick<OpenOptions, 'poolSize' | 'prepare' | 'limits'>> & {
  readonly url: string
}

/** How long to wait for a connection, new or from the pool, in milliseconds. */
const connectTimeoutMs = 1_000

/** How many statements are prepared by name: each connection keeps each with its plan, in the database's memory. */
const maxNamed = 250

/** How long a read that is cancelled may take to end, before its connection is cut. */
const cancelTimeoutMs = 500

/** How long the list beside a search index may get, in KB: each search reads it. 64 is the least that there is. */
const shortList = 64

/** By SET LOCAL and not as a startup parameter, which PgBouncer refuses. */
const beginWithLimits = [
  'begin',
  `set local statement_timeout = ${limits.statement_timeout}`,
  `set local lock_timeout = ${limits.lock_timeout}`,
  `set local gin_pending_list_limit = ${shortList}`,
].join('; ')

/** 64-bit integers are below 2^53 here; instants are ISO 8601 with milliseconds and `Z`, as on SQLite. */
const int8 = 20
const timestamptz = 1184
const parsers: Record<number, (text: string) => unknown> = {
  [int8]: Number,
  [timestamptz]: (text) => new Date(text).toISOString(),
}
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
}

/** Kysely on `pg`. */
export function postgresDialect(settings: PostgresSettings): Dialect {
  const driver = new PostgresDriver(settings)
  return {
    createAdapter: () => new ReadingPostgresAdapter(driver.reads),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/** Reads on any connection of its pool, and a transaction on one that it holds. */
export class PostgresDriver implements Driver {
  readonly #settings: PostgresSettings
  readonly #pool: pg.Pool
  readonly #pulse: PostgresPulse
  readonly #clients = new Set<pg.PoolClient>()
  readonly #names = new Map<string, string>()
  /** Connections on which a read was cancelled. None is used again: the cancel request may arrive late. */
  readonly #cancelled = new WeakSet<pg.PoolClient>()
  readonly reads = new PostgresReads(this)
  #mayPipeline = true

  constructor(settings: PostgresSettings) {
    this.#settings = settings
    this.#pool = new pg.Pool({
      Client: LoginClient,
      connectionString: settings.url,
      max: settings.poolSize,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      pipeline: true, // see PostgresReads
      onConnect: async (client) => {
        if (!(await beginSession(client, settings.limits))) this.#mayPipeline = false
      },
      types: types as pg.CustomTypesConfig,
      application_name: 'registrar',
    })
    this.#pool.on('error', () => {}) // an idle connection was lost: the pool has let it go
    this.#pool.on('connect', (client) => {
      this.#clients.add(client)
      client.on('error', () => {}) // whoever holds it learns of it by the statement that fails
    })
    this.#pool.on('remove', (client) => this.#clients.delete(client))
    this.#pulse = new PostgresPulse(settings.url, () => this.#dropConnections())
  }

  async init() {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(this)
  }

  async beginTransaction(connection: PostgresConnection): Promise<void> {
    connection.client = await this.connect()
    connection.opening = this.#settings.limits ? beginWithLimits : 'begin'
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    try {
      await connection.begin()
      await this.run(connection.client!, 'commit')
    } catch (error) {
      connection.release(error)
      throw error
    }
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    if (connection.client === undefined) return
    await this.run(connection.client, 'rollback').catch((error: unknown) => connection.release(error))
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    this.#pulse.stop()
    await this.#pool.end()
  }

  /**
   * @throws DatabaseUnavailableError at once while the database is known to be away; otherwise after 1 s, or after
   * 2.5 s when a new connection got no answer
   * @throws LoginRefusedError where this URL can never connect
   */
  async connect(): Promise<pg.PoolClient> {
    this.#pulse.check()
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw loginRefusal(error, this.#settings.url) ?? asDatabaseError(error)
    }
  }

  /** Whether statements may be pipelined: only where every connection is the database's own. */
  get mayPipeline(): boolean {
    return this.#mayPipeline
  }

  /** Runs a read, which ends after 5 s whether or not the role's limits end it. */
  read(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    return this.run(client, text, values, this.#settings.limits ? () => this.#cancel(client) : undefined)
  }

  /** Gives a connection back. It is closed if it was lost, or if a read on it was cancelled. */
  release(client: pg.PoolClient, isLost: boolean): void {
    client.release(isLost || this.#cancelled.has(client))
  }

  #cancel(client: pg.PoolClient): void {
    if (this.#cancelled.has(client)) return
    this.#cancelled.add(client)
    cancelStatement(this.#settings.url, client)
    setTimeout(() => streamOf(client).destroy(), cancelTimeoutMs).unref()
  }

  /** Runs a statement and watches its time, so that a silent database is noticed. */
  async run(
    client: pg.PoolClient,
    text: string,
    values?: readonly unknown[],
    onLate?: () => void,
  ): Promise<pg.QueryResult> {
    const beat = this.#pulse.begin(onLate)
    try {
      if (values === undefined) return await answerOf(client, { text })
      const name = this.#nameOf(text)
      const named = name !== undefined && { name }
      return await answerOf(client, { text, values: values as unknown[], ...named })
    } catch (error) {
      Error.captureStackTrace(error as Error) // it tells where the answer came in, and not who asked
      if (this.#cancelled.has(client)) throw new TimeLimitError('a read took too long', { cause: error })
      throw asDatabaseError(error)
    } finally {
      this.#pulse.end(beat)
    }
  }

  /** The name that a statement is prepared under, if it is. */
  #nameOf(text: string): string | undefined {
    if (!this.#settings.prepare || text.startsWith(plannedEachTime)) return undefined
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size === maxNamed) return known
    const name = `r${this.#names.size}`
    this.#names.set(text, name)
    return name
  }

  #dropConnections(): void {
    for (const client of this.#clients) streamOf(client).destroy()
  }
}

/**
 * Runs a statement. What `pg` itself promises stays in memory, with all its rows, until V8 collects all: decision 0116.
 */
function answerOf(client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(statement, (error, result) => (error ? reject(error) : resolve(result)))
  })
}

class PostgresConnection implements DatabaseConnection {
  readonly #driver: PostgresDriver
  /** The connection of a transaction; a read takes one for itself. */
  client: pg.PoolClient | undefined
  /** What begins the transaction, until it has begun. */
  opening: string | undefined
  /** Whether what failed on the transaction's connection would fail on it again. */
  #isSpent = false

  constructor(driver: PostgresDriver) {
    this.#driver = driver
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    const result = this.client
      ? await this.#runInTransaction(this.client, sql, parameters, query.kind === 'SelectQueryNode')
      : await this.#driver.reads.alone(sql, parameters) // all statements outside of transactions are reads
    const changes = result.command === 'SELECT' ? undefined : BigInt(result.rowCount ?? 0)
    return { rows: result.rows as Row[], ...(changes !== undefined && { numAffectedRows: changes }) }
  }

  /** Begins the transaction, where that has not been done. */
  async begin(): Promise<void> {
    const { opening } = this
    this.opening = undefined
    if (opening !== undefined) await this.#driver.run(this.client!, opening)
  }

  /** A first statement that only reads is sent together with the one that begins the transaction. */
  async #runInTransaction(
    client: pg.PoolClient,
    sql: string,
    parameters: readonly unknown[],
    isRead: boolean,
  ): Promise<pg.QueryResult> {
    const begun = this.begin()
    if (!isRead || !this.#driver.mayPipeline) await begun
    try {
      const [result] = await Promise.all([this.#driver.run(client, sql, parameters), begun])
      return result
    } catch (error) {
      this.#isSpent = isConnectionFault(error)
      throw error
    }
  }

  /** Gives the transaction's connection back. One that failed is closed. */
  release(error?: unknown): void {
    this.client?.release(this.#isSpent || isConnectionFault(error))
    this.client = undefined
  }

  // biome-ignore lint/correctness/useYield: nothing streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}
