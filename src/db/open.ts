import { resolve } from 'node:path'
import { Kysely } from 'kysely'
import { sqliteDialect } from './sqlite.ts'
import { checkDatabase, prepareSqliteFile } from './sqlite-file.ts'
import type { Db, Tables } from './tables.ts'

export interface OpenOptions {
  /** How long a write waits for another process's write, in milliseconds. A server: at most 250. */
  readonly busyTimeoutMs?: number
  /** Makes each commit this much slower, in milliseconds: a slow disk, for tests. */
  readonly flushDelayMs?: number
  /** Called when a flush has failed or the writing thread died: what is on disk is in doubt until a new start. */
  readonly onLost?: (error: Error) => void
  /** Whether a missing file is made. */
  readonly create?: boolean
}

/** Where the records are, from `DATABASE_URL`: an absolute path. */
export function sqlitePath(databaseUrl: string): string {
  return resolve(databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, ''))
}

/**
 * Opens the database that the URL names. Its schema may be old or absent: see `migrate`.
 * @throws DatabaseFileError, whose message says what to do
 */
export async function openDatabase(databaseUrl: string, options: OpenOptions = {}): Promise<Db> {
  const path = sqlitePath(databaseUrl)
  if (options.create) prepareSqliteFile(path)
  else checkDatabase(path)
  const { busyTimeoutMs = 250, flushDelayMs = 0, onLost = () => {} } = options
  return new Kysely<Tables>({ dialect: sqliteDialect({ path, busyTimeoutMs, flushDelayMs }, onLost) })
}
