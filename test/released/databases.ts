import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sqlitePath } from '../../src/db/open.ts'
import { engine, newDatabaseUrl } from '../engine.ts'
import { runSql } from '../postgres.ts'

export const releasesFolder = import.meta.dirname

/** The releases of which a database is kept. */
export const releases = globSync('*.sql', { cwd: releasesFolder })
  .map((name) => name.slice(0, -'.sql'.length))
  .sort()

const content = (name: string) => readFileSync(join(releasesFolder, name))

/** A database that a release made, for a test's own use. */
export async function databaseOf(version: string): Promise<string> {
  const databaseUrl = await newDatabaseUrl({ empty: true })
  if (engine === 'sqlite') writeFileSync(sqlitePath(databaseUrl), gunzipSync(content(`${version}.db.gz`)))
  else await runSql(databaseUrl, content(`${version}.sql`).toString())
  return databaseUrl
}
