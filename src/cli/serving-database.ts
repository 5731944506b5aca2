import { setTimeout as pause } from 'node:timers/promises'
import { type Config, readConfig } from '../config.ts'
import { migrate, SchemaError, type SchemaState, schemaState } from '../db/migrate.ts'
import { isPostgresUrl, openDatabase, placeOf, sqlitePath } from '../db/open.ts'
import { settingsAdvice } from '../db/postgres-settings.ts'
import { lacksPrivilege, owningRole } from '../db/privileges.ts'
import { checkAfterUncleanStop } from '../db/sqlite-check.ts'
import { checkPlace, DatabaseFileError, isThere, lockForServing } from '../db/sqlite-file.ts'
import { sqliteStateOf } from '../db/sqlite-readers.ts'
import type { Db } from '../db/tables.ts'
import { databaseFaultOf, isConnectionFault, LoginRefusedError } from '../db/violations.ts'
import { CommandError } from './command.ts'
import { backUpBeforeMigration } from './migration-backup.ts'

/** How long a server that starts waits for PostgreSQL. */
const patienceMs = 30_000

/** A database that this server serves, with its schema up to date. */
interface ServingDatabase {
  readonly db: Db
  /** Where the records are, for the log. */
  readonly place: string
  /** What the operator should change about it, for the log. */
  readonly warnings: readonly string[]
  /** Whether it may be written: a damaged file is only read. */
  readonly takesWrites: boolean
  close(): Promise<void>
}

/**
 * Opens the database for serving: a SQLite file for this server alone, or PostgreSQL beside other instances.
 * @param beforeMaking runs when this server may serve, and before anything is made or migrated
 * @throws DatabaseFileError, SchemaError or CommandError
 */
export function openForServing(config: Config, beforeMaking: () => Promise<void>): Promise<ServingDatabase> {
  return isPostgresUrl(config.databaseUrl)
    ? openPostgres(config, beforeMaking)
    : openSqlite(config, beforeMaking)
}

async function openSqlite(
  { databaseUrl }: Config,
  beforeMaking: () => Promise<void>,
): Promise<ServingDatabase> {
  const path = sqlitePath(databaseUrl)
  checkPlace(path)
  const lock = lockForServing(path)
  // Where no setting names it, the folder was said before.
  const isNew = !isThere(path) && databaseUrl !== readConfig({}).databaseUrl
  await beforeMaking()
  const damage = checkAfterUncleanStop(path)
  const db = await (damage === undefined ? openWhole(path) : openDamaged(path, damage))
  sqliteStateOf(db)?.watch(['-wal', '-shm', '.lock'].map((ending) => `${path}${ending}`))
  return {
    db,
    place: placeOf(databaseUrl),
    warnings: isNew ? [`There was no database at ${path}, so a new, empty one was made.`] : [],
    takesWrites: damage === undefined,
    async close() {
      await db.destroy()
      lock.release()
    },
  }
}

async function openWhole(path: string): Promise<Db> {
  const db = await openDatabase(`sqlite:${path}`, { create: true, onLost: endAtOnce })
  await backUpBeforeMigration(path, await schemaState(db))
  await migrate(db)
  return db
}

/** Opens a damaged file, to read what can be read. @throws DatabaseFileError when its schema can't be, or is old */
async function openDamaged(path: string, damage: string): Promise<Db> {
  let db: Db | undefined
  try {
    db = await openDatabase(`sqlite:${path}`, { damage })
    if ((await schemaState(db)).pending.length === 0) return db
  } catch (error) {
    if (databaseFaultOf(error) === undefined) throw error
  }
  await db?.destroy()
  throw new DatabaseFileError(
    `The database ${path} is damaged, and is not served (it was not closed cleanly; ${damage}). Put a backup in its place: ./registrar.js restore FILE, which keeps the damaged file.`,
  )
}

/** After a failed flush, memory and file may differ. Only a new start reads what is really on disk. */
function endAtOnce(error: Error): void {
  console.error(`The database can no longer be written, and the server ends: ${error.message}`)
  process.exit(1)
}

async function openPostgres(config: Config, beforeMaking: () => Promise<void>): Promise<ServingDatabase> {
  const { databaseUrl, databasePool: poolSize, databasePrepare: prepare } = config
  await beforeMaking()
  await using unlimited = await openDatabase(databaseUrl, { poolSize: 1, prepare, limits: false })
  await migrateUnlessHeld(unlimited, await waitForDatabase(unlimited, databaseUrl), config)
  const warnings = await settingsAdvice(unlimited)
  const db = await openDatabase(databaseUrl, { poolSize, prepare })
  return { db, place: placeOf(databaseUrl), warnings, takesWrites: true, close: () => db.destroy() }
}

/** An empty PostgreSQL database is migrated. The operator migrates one with a schema, unless `MIGRATE` is on. */
async function migrateUnlessHeld(
  db: Db,
  { applied, pending }: SchemaState,
  { databaseUrl, migrate: mayMigrate }: Config,
): Promise<void> {
  if (pending.length === 0) return
  if (applied.length > 0 && !mayMigrate) {
    throw new SchemaError(
      "The database's schema is older than this program. Run: ./registrar.js migrate, or set MIGRATE=on.",
    )
  }
  try {
    await migrate(db)
  } catch (error) {
    if (applied.length > 0 || !lacksPrivilege(error)) throw error
    throw new SchemaError(
      `The database ${placeOf(databaseUrl)} holds no schema yet, and the role in DATABASE_URL may not make it. Run ./registrar.js migrate with ${owningRole} in DATABASE_URL, and start again.`,
    )
  }
}

async function waitForDatabase(db: Db, databaseUrl: string): Promise<SchemaState> {
  const deadline = performance.now() + patienceMs
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await schemaState(db)
    } catch (error) {
      const { message } = error as Error
      if (error instanceof SchemaError || error instanceof LoginRefusedError) throw error
      if (lacksPrivilege(error)) throw error
      if (!isConnectionFault(error))
        throw new CommandError(`PostgreSQL at ${placeOf(databaseUrl)} refuses: ${message}.`)
      if (performance.now() > deadline) {
        throw new CommandError(
          `PostgreSQL at ${placeOf(databaseUrl)} could not be reached for ${patienceMs / 1000} s: ${message}. Start it, or set DATABASE_URL.`,
        )
      }
      if (isFirst) console.error(`waiting for PostgreSQL at ${placeOf(databaseUrl)}: ${message}`)
      await pause(500)
    }
  }
}
