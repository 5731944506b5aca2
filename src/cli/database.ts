import { SchemaError, schemaState } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import type { Db } from '../db/tables.ts'
import type { CommandInput } from './command.ts'

/** A command waits this long for a running server's write: longer than the server waits for the command's. */
const busyTimeoutMs = 5_000

/**
 * Opens the database for one command, and closes it afterwards.
 * @throws DatabaseFileError when there is none, SchemaError when its schema is not this program's
 */
export async function withDatabase<Result>(
  { config }: CommandInput,
  work: (db: Db) => Promise<Result>,
  { olderSchema = 'refused' }: { olderSchema?: 'refused' | 'welcome' } = {},
): Promise<Result> {
  const db = await openDatabase(config('DATABASE_URL').databaseUrl, { busyTimeoutMs })
  try {
    const { pending } = await schemaState(db)
    if (pending.length > 0 && olderSchema === 'refused') {
      throw new SchemaError(
        "The database's schema is older than this program. Back it up, and run: ./registrar.js migrate",
      )
    }
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** The present instant, as rows carry it. */
export function instantNow(): string {
  return new Date().toISOString()
}
