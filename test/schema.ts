import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'

/** Brings a database to the whole schema: one to use, or to copy others from. On SQLite the file is made. */
export async function makeSchema(databaseUrl: string): Promise<void> {
  const db = await openDatabase(databaseUrl, { create: true, limits: false })
  await migrate(db)
  await db.destroy()
}
