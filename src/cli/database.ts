import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { SchemaError, schemaState } from '../db/migrate.ts'
import { isPostgresUrl, openDatabase, sqlitePath } from '../db/open.ts'
import { checkDatabase, lockForCommand } from '../db/sqlite-file.ts'
import type { Db } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { type Command, CommandError, type CommandInput, type CommandResult } from './command.ts'

/** How long a command waits for a running server's write: longer than the server waits for the command's. */
const busyTimeoutMs = 5_000

type Work = (db: Db, input: CommandInput) => Promise<CommandResult>

/**
 * The `run` of a command that works on the database: it is opened for the command, and closed afterwards.
 * @param change 'changes nothing': its schema may be older, and it may be in use
 * @throws DatabaseFileError when there is none or it is being copied, SchemaError when its schema is not this program's
 */
export function onDatabase(work: Work, change?: 'changes nothing'): Command['run'] {
  return async (input) => {
    const { databaseUrl } = input.config('DATABASE_URL')
    using _lock = change === undefined && !isPostgresUrl(databaseUrl) ? lockExisting(databaseUrl) : undefined
    await using db = await openDatabase(databaseUrl, { busyTimeoutMs })
    const { applied, pending } = await schemaState(db)
    if (pending.length > 0 && change === undefined) {
      throw new SchemaError(
        applied.length === 0
          ? 'The database holds no schema yet. Run: ./registrar.js migrate'
          : "The database's schema is older than this program. Back it up, and run: ./registrar.js migrate",
      )
    }
    return await work(db, input)
  }
}

/** The `run` of a command that is one write. */
export function inOneWrite(work: (tx: Tx, input: CommandInput) => Promise<CommandResult>): Command['run'] {
  return onDatabase((db, input) => write(db, input.by, (tx) => work(tx, input)))
}

function lockExisting(databaseUrl: string) {
  const path = sqlitePath(databaseUrl)
  checkDatabase(path)
  return lockForCommand(path)
}

/**
 * The SQLite file of the configuration, for a command that works on files.
 * @throws CommandError when the records are in PostgreSQL, which has its own tools
 */
export function sqliteFileOf({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (!isPostgresUrl(databaseUrl)) return sqlitePath(databaseUrl)
  throw new CommandError(
    'The records are in PostgreSQL: back up and restore with its own tools (pg_dump, pg_restore, continuous archiving). See docs/operating.md.',
  )
}

/** The URL of a database to be, in a folder of its own that is removed when this process ends. */
export function temporaryDatabaseUrl(): string {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'registrar.db')}`
}

/** The present instant, as rows carry it. */
export function instantNow(): string {
  return new Date().toISOString()
}
