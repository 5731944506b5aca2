import { migrate, schemaState } from '../db/migrate.ts'
import { isPostgresUrl, openDatabase, placeOf, sqlitePath } from '../db/open.ts'
import { lockForServing } from '../db/sqlite-file.ts'
import type { Command } from './command.ts'

/** `migrate` */
export const migrateCommand: Command = {
  name: 'migrate',
  summary: "Bring the database's schema up to date",
  help: 'Makes a SQLite database when there is none. A server on SQLite does the same when it starts; on PostgreSQL it migrates an empty database alone. A SQLite file that an older server still serves is left as it is: stop that one first.',
  async run({ config }) {
    const { databaseUrl } = config('DATABASE_URL')
    const db = await openDatabase(databaseUrl, {
      create: true,
      busyTimeoutMs: 5_000,
      limits: false,
      poolSize: 1,
    })
    try {
      const { pending } = await schemaState(db)
      const isNeeded = pending.length > 0 && !isPostgresUrl(databaseUrl)
      const lock = isNeeded ? lockForServing(sqlitePath(databaseUrl)) : undefined
      const ran = await migrate(db).finally(() => lock?.release())
      const schema = (await schemaState(db)).applied.length
      const done = ran.length === 0 ? 'is up to date' : `was brought up to date (${ran.join(', ')})`
      return {
        data: { database: placeOf(databaseUrl), ran, schema },
        text: `The schema of ${placeOf(databaseUrl)} ${done}: ${schema}.`,
      }
    } finally {
      await db.destroy()
    }
  },
}
