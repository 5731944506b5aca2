import { migrate, schemaState } from '../db/migrate.ts'
import { openDatabase, placeOf } from '../db/open.ts'
import type { Command } from './command.ts'

/** `migrate` */
export const migrateCommand: Command = {
  name: 'migrate',
  summary: "Bring the database's schema up to date",
  help: 'Makes a SQLite database when there is none. A server on SQLite does the same when it starts; on PostgreSQL it migrates an empty database alone.',
  async run({ config }) {
    const { databaseUrl } = config('DATABASE_URL')
    const db = await openDatabase(databaseUrl, {
      create: true,
      busyTimeoutMs: 5_000,
      limits: false,
      poolSize: 1,
    })
    try {
      const ran = await migrate(db)
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
