import type { Config } from '../config.ts'
import { SchemaError, schemaState } from '../db/migrate.ts'
import { isPostgresUrl, openDatabase, sqlitePath } from '../db/open.ts'
import { type FileLock, lockForCommand } from '../db/sqlite-file.ts'
import type { Db } from '../db/tables.ts'
import { CommandError, type CommandInput } from './command.ts'

/** How long a command waits for a running server's write: longer than the server waits for the command's. */
const busyTimeoutMs = 5_000

/**
 * Opens the database for one command, and closes it afterwards.
 * @throws DatabaseFileError when there is none or it is being copied, SchemaError when its schema is not this program's
 */
export async function withDatabase<Result>(
  { config }: CommandInput,
  work: (db: Db) => Promise<Result>,
  { olderSchema = 'refused', writes = true }: { olderSchema?: 'refused' | 'welcome'; writes?: boolean } = {},
): Promise<Result> {
  const { databaseUrl } = config('DATABASE_URL')
  const db = await openDatabase(databaseUrl, { busyTimeoutMs })
  let lock: FileLock | undefined
  try {
    if (writes && !isPostgresUrl(databaseUrl)) lock = lockForCommand(sqlitePath(databaseUrl))
    const { applied, pending } = await schemaState(db)
    if (pending.length > 0 && olderSchema === 'refused') {
      throw new SchemaError(
        applied.length === 0
          ? 'The database holds no schema yet. Run: ./registrar.js migrate'
          : "The database's schema is older than this program. Back it up, and run: ./registrar.js migrate",
      )
    }
    return await work(db)
  } finally {
    await db.destroy()
    lock?.release()
  }
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

/** The present instant, as rows carry it. */
export function instantNow(): string {
  return new Date().toISOString()
}
