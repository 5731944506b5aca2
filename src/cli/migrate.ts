import { removeAllClasses } from '../classes/changes.ts'
import { migrate, schemaState } from '../db/migrate.ts'
import { backUpBeforeMigration } from '../db/migration-backup.ts'
import { isPostgresUrl, openDatabase, placeOf, sqlitePath } from '../db/open.ts'
import { lockForServing } from '../db/sqlite-file.ts'
import type { Db } from '../db/tables.ts'
import { type Command, CommandError } from './command.ts'
import { agreeToNewDatabase } from './new-database.ts'

/** `migrate` */
export const migrateCommand: Command = {
  name: 'migrate',
  summary: "Bring the database's schema up to date",
  help: 'Makes a SQLite database when there is none. A server on SQLite does the same when it starts; on PostgreSQL it migrates an empty database alone. A SQLite file that an older server still serves is left as it is: stop that one first. Before a SQLite file is migrated, it is backed up beside it.',
  options: {
    'no-classes': { describe: 'A new database holds no classes; without it, Class 1 to Class 12' },
  },
  async run({ config, flags }) {
    const { databaseUrl } = config('DATABASE_URL')
    await agreeToNewDatabase({ databaseUrl })
    const db = await openDatabase(databaseUrl, {
      create: true,
      busyTimeoutMs: 5_000,
      limits: false,
      poolSize: 1,
    })
    try {
      const { applied, pending } = await schemaState(db)
      const whenNew = flags.has('no-classes') ? removeAllClasses : undefined
      if (whenNew !== undefined && applied.length > 0)
        throw new CommandError(
          `--no-classes is for a new database, and ${placeOf(databaseUrl)} holds a schema. Remove classes from it with ./registrar.js class remove ID.`,
        )
      const isNeeded = pending.length > 0 && !isPostgresUrl(databaseUrl)
      const { backup, ran } = isNeeded
        ? await migrateFile(db, sqlitePath(databaseUrl), whenNew)
        : { backup: undefined, ran: await migrate(db, undefined, whenNew && { whenNew }) }
      const schema = (await schemaState(db)).applied.length
      const done = ran.length === 0 ? 'is up to date' : `was brought up to date (${ran.join(', ')})`
      return {
        data: { database: placeOf(databaseUrl), ran, schema, backup: backup ?? null },
        text: `The schema of ${placeOf(databaseUrl)} ${done}: ${schema}.`,
      }
    } finally {
      await db.destroy()
    }
  },
}

/** Migrates a file that no server serves. It is backed up first if it holds anything. */
async function migrateFile(db: Db, path: string, whenNew: typeof removeAllClasses | undefined) {
  const lock = lockForServing(path)
  try {
    const backup = await backUpBeforeMigration(path, await schemaState(db))
    if (backup !== undefined) console.error(`A backup of the database as it was is ${backup}.`)
    return { backup, ran: await migrate(db, undefined, whenNew && { whenNew }) }
  } finally {
    lock.release()
  }
}
