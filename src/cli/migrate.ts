import { removeAllClasses } from '../classes/changes.ts'
import { migrate, schemaState } from '../db/migrate.ts'
import { isPostgresUrl, openDatabase, placeOf, sqlitePath } from '../db/open.ts'
import { lockForServing } from '../db/sqlite-file.ts'
import { type Command, CommandError } from './command.ts'
import { backUpBeforeMigration } from './migration-backup.ts'
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
    await using db = await openDatabase(databaseUrl, {
      create: true,
      busyTimeoutMs: 5_000,
      limits: false,
      poolSize: 1,
    })
    const { applied, pending } = await schemaState(db)
    if (flags.has('no-classes') && applied.length > 0)
      throw new CommandError(
        `--no-classes is for a new database, and ${placeOf(databaseUrl)} holds a schema. Remove classes from it with ./registrar.js class remove ID.`,
      )
    const path = isPostgresUrl(databaseUrl) || pending.length === 0 ? undefined : sqlitePath(databaseUrl)
    using _lock = path === undefined ? undefined : lockForServing(path)
    const backup = path === undefined ? undefined : await backUpBeforeMigration(path, await schemaState(db))
    const ran = await migrate(db, undefined, flags.has('no-classes') ? { whenNew: removeAllClasses } : {})
    const schema = (await schemaState(db)).applied.length
    const done = ran.length === 0 ? 'is up to date' : `was brought up to date (${ran.join(', ')})`
    return {
      data: { database: placeOf(databaseUrl), ran, schema, backup: backup ?? null },
      text: `The schema of ${placeOf(databaseUrl)} ${done}: ${schema}.`,
    }
  },
}
