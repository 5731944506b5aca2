import { join } from 'node:path'
import { sqlitePath } from '../src/db/open.ts'
import { measureSqliteFile, measureTable, type Sizes } from './file-size.ts'
import type { Engine } from './options.ts'
import type { Postgres } from './postgres.ts'
import { type engineTitles, smallSqlite } from './results.ts'
import { type Seeded, seed, seedSame } from './seed.ts'
import { figure } from './table.ts'

/** A seeded database, to be served or explained. */
export interface Database {
  readonly name: (typeof engineTitles)[number]
  readonly url: string
  readonly seeded: Seeded
  readonly sizes: Sizes
  readonly seedSeconds: number
  /** The first process of its server, where it has one. */
  readonly pid?: number | undefined
}

/** What other servers' databases are copied from. */
export interface Original {
  readonly file: string
  readonly seeded: Seeded
}

/** Databases to be measured. */
export interface Databases {
  readonly databases: readonly Database[]
  readonly original: Original
  /** SQLite with `smallSqlite.students`, beside a larger one. */
  readonly small?: Pick<Database, 'url' | 'seeded'>
}

/**
 * Seeds the databases that are asked for. That of SQLite is made in any case: what is searched for, and what
 * peers copy, is taken from it.
 * @returns those asked for, SQLite's file with what it holds, and a small one to tell growth by
 */
export async function seedDatabases(
  folder: string,
  scale: number,
  engines: readonly Engine[],
  postgres: Postgres | undefined,
): Promise<Databases> {
  const databases: Database[] = []
  const url = `sqlite:${join(folder, 'registrar.db')}`
  const file = sqlitePath(url)
  const { seeded, seedSeconds } = await timed(() => seed(url, scale))
  if (engines.includes('sqlite')) {
    const sizes = measureSqliteFile(file, folder)
    databases.push({ name: 'SQLite', url, seeded, sizes, seedSeconds })
    print(databases.at(-1)!)
  }
  if (postgres !== undefined) {
    const { url, pid } = postgres
    const same = await timed(() => seedSame(url, seeded))
    databases.push({ name: 'PostgreSQL', url, ...same, sizes: await measureTable(url), pid })
    print(databases.at(-1)!)
  }
  const original = { file, seeded }
  if (scale <= smallSqlite.students || !engines.includes('sqlite')) return { databases, original }
  const smallUrl = `sqlite:${join(folder, 'small.db')}`
  return { databases, original, small: { url: smallUrl, seeded: await seed(smallUrl, smallSqlite.students) } }
}

function print({ name, seeded, sizes, seedSeconds }: Database): void {
  const took = `seeded in ${figure(seedSeconds, 1)} s`
  const space = `${figure(sizes.fullMb, 1)} MB, the plain table ${figure(sizes.plainMb, 1)} MB`
  console.log(`${name}: ${figure(seeded.students)} students, ${took}; ${space}`)
}

async function timed(work: () => Promise<Seeded>): Promise<Pick<Database, 'seeded' | 'seedSeconds'>> {
  const began = performance.now()
  const seeded = await work()
  return { seeded, seedSeconds: (performance.now() - began) / 1000 }
}
