import { migrate } from '../src/db/migrate.ts'
import { isPostgresUrl, openDatabase, sqlitePath } from '../src/db/open.ts'
import { write } from '../src/events/write.ts'
import { upkeepOf } from '../src/students/lists/lists.ts'
import { type SeededAccounts, seedAccounts } from './seed-accounts.ts'
import { type SeededStudents, seedPostgres, seedSqlite } from './seed-students.ts'

/** What a seeded database holds that requests are made of. Plain data: it can be sent to a thread. */
export interface Seeded extends SeededAccounts, SeededStudents {}

/** Fills a new database: accounts and sessions by the server's own functions, students in bulk. */
export async function seed(databaseUrl: string, students: number): Promise<Seeded> {
  const accounts = await seedSchemaAndAccounts(databaseUrl)
  const seeded = { ...accounts, ...seedSqlite(sqlitePath(databaseUrl), students) }
  await mergeIndex(databaseUrl)
  return seeded
}

/** Does what the server's housekeeping would do in the minutes after. */
async function mergeIndex(databaseUrl: string): Promise<void> {
  const db = await openDatabase(databaseUrl)
  for (const work of upkeepOf(db)) while (await write(db, { command: 'bench' }, work));
  await db.destroy()
}

/** Fills a new PostgreSQL database with the same people as one that is seeded already. */
export async function seedSame(databaseUrl: string, seeded: Seeded): Promise<Seeded> {
  const accounts = await seedSchemaAndAccounts(databaseUrl)
  await seedPostgres(databaseUrl, seeded.students)
  return { ...seeded, ...accounts }
}

async function seedSchemaAndAccounts(databaseUrl: string): Promise<SeededAccounts> {
  const db = await openDatabase(databaseUrl, { create: !isPostgresUrl(databaseUrl), limits: false })
  await migrate(db)
  const accounts = await seedAccounts(db)
  await db.destroy()
  return accounts
}
