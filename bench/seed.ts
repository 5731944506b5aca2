import { migrate } from '../src/db/migrate.ts'
import { isPostgresUrl, openDatabase, sqlitePath } from '../src/db/open.ts'
import { type SeededAccounts, seedAccounts } from './seed-accounts.ts'
import { seedPostgres, seedSqlite } from './seed-students.ts'
import type { SearchWords } from './words.ts'

/** What a seeded database holds that requests are made of. Plain data: it can be sent to a thread. */
export interface Seeded extends SeededAccounts {
  readonly students: number
  readonly words: SearchWords
}

/** Fills a new database: accounts and sessions by the server's own functions, students in bulk. */
export async function seed(databaseUrl: string, students: number): Promise<Seeded> {
  const accounts = await seedSchemaAndAccounts(databaseUrl)
  return { students, ...accounts, words: seedSqlite(sqlitePath(databaseUrl), students) }
}

/** Fills a new PostgreSQL database with the same people as one that is seeded already. */
export async function seedSame(databaseUrl: string, { students, words }: Seeded): Promise<Seeded> {
  const accounts = await seedSchemaAndAccounts(databaseUrl)
  await seedPostgres(databaseUrl, students)
  return { students, ...accounts, words }
}

async function seedSchemaAndAccounts(databaseUrl: string): Promise<SeededAccounts> {
  const db = await openDatabase(databaseUrl, { create: !isPostgresUrl(databaseUrl), limits: false })
  await migrate(db)
  const accounts = await seedAccounts(db)
  await db.destroy()
  return accounts
}
