import { resolve } from 'node:path'
import { Kysely } from 'kysely'
import { realPath } from './real-path.ts'
import { sqliteDialect } from './sqlite.ts'
import { checkDatabase, prepareSqliteFile } from './sqlite-file.ts'
import { SqliteState } from './sqlite-state.ts'
import type { Db, Tables } from './tables.ts'

export interface OpenOptions {
  /** SQLite: whether a missing file is made. */
  readonly create?: boolean
  /** SQLite: how long a write waits for another process's write, in milliseconds. A server: at most 250. */
  readonly busyTimeoutMs?: number
  /** SQLite: makes each commit this much slower, in milliseconds, so that tests have a slow disk. */
  readonly flushDelayMs?: number
  /** SQLite: called when a flush failed or the writing thread died. Only a new start knows what is on disk. */
  readonly onLost?: (error: Error) => void
  /** SQLite: what is wrong with the file, in words. It is then only read. */
  readonly damage?: string | undefined
  /** PostgreSQL: the most connections that this instance holds. */
  readonly poolSize?: number
  /** PostgreSQL: whether statements are prepared under names; PgBouncer before 1.21 can't have it. */
  readonly prepare?: boolean
  /** PostgreSQL: whether statements end after 5 s and waits for locks after 2 s; off for migrations and copies. */
  readonly limits?: boolean
}

/** Whether the URL names a PostgreSQL database. */
export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl)
}

/** The absolute path of a SQLite database, from `DATABASE_URL`, with all links followed. */
export function sqlitePath(databaseUrl: string): string {
  return realPath(resolve(databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, '')))
}

/** Where the records are, in words: a path, or a PostgreSQL's host and database without user and password. */
export function placeOf(databaseUrl: string): string {
  if (!isPostgresUrl(databaseUrl)) return sqlitePath(databaseUrl)
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}

/**
 * Opens the database that the URL names. Its schema may be old or absent: see `migrate`. The first statement connects
 * to PostgreSQL.
 * @throws DatabaseFileError, whose message says what to do
 */
export async function openDatabase(databaseUrl: string, options: OpenOptions = {}): Promise<Db> {
  const { create = false, busyTimeoutMs = 250, flushDelayMs = 0, onLost = () => {} } = options
  if (isPostgresUrl(databaseUrl)) {
    const { poolSize = 10, prepare = true, limits = true } = options
    const { postgresDialect } = await import('./postgres.ts') // `pg` is loaded where it is used
    return new Kysely<Tables>({ dialect: postgresDialect({ url: databaseUrl, poolSize, prepare, limits }) })
  }
  const path = sqlitePath(databaseUrl)
  if (create) prepareSqliteFile(path)
  else checkDatabase(path)
  const state = new SqliteState(path, options.damage)
  return new Kysely<Tables>({ dialect: sqliteDialect({ path, busyTimeoutMs, flushDelayMs }, state, onLost) })
}
