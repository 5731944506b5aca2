import { randomUUID } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqlitePath } from '../src/db/open.ts'
import { atEnd, temporaryFolder } from './cleanup.ts'
import { folderOfDatabases } from './in-memory.ts'
import { runSql } from './postgres.ts'
import { makeSchema } from './schema.ts'

/** The engine that this process's tests run on: `test/run.ts` runs them once on each. */
export const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite'

/** For `describe` and `it`: skips what concerns the other engine alone. */
export const onlyOn = (wanted: 'sqlite' | 'postgres') => ({
  skip: engine !== wanted && `concerns ${wanted} alone`,
})

/** Skips on PostgreSQL what is said before the database is asked, or by code that has tests there. */
export const onceOnly = { skip: engine !== 'sqlite' && 'does not depend on the engine' }

/** The tests' PostgreSQL server: any database of it, say `postgres`. */
const server = () => process.env.TEST_POSTGRES!

/**
 * The URL of a new database of a test's own. On PostgreSQL it is a copy of the migrated one, or empty; on
 * SQLite a file that is not there yet.
 */
export async function newDatabaseUrl({ empty = false } = {}): Promise<string> {
  if (engine === 'sqlite') return `sqlite:${join(temporaryFolder(folderOfDatabases()), 'registrar.db')}`
  const template = empty ? 'template0' : 'school'
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runSql(server(), `create database ${name} template ${template} strategy file_copy`)
  atEnd(() => runSql(server(), `drop database if exists ${name} with (force)`).catch(() => {})) // all go at the end
  return new URL(`/${name}`, server()).href
}

/** The URL of a new database of a test's own, which holds the whole schema: a copy of the one that `test/run.ts` made. */
export async function migratedDatabaseUrl(): Promise<string> {
  const url = await newDatabaseUrl()
  if (engine === 'postgres') return url
  const template = process.env.TEST_SQLITE
  if (template !== undefined) copyFileSync(template, sqlitePath(url))
  else await makeSchema(url)
  return url
}
