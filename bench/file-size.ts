import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { wordsOf } from '../src/db/migrations/words.ts'
import type { Engine } from './options.ts'

/** What the students take on disk, in MB: as they are, and as a plain table with its indexes. */
export interface Sizes {
  readonly fullMb: number
  readonly plainMb: number
}

const columns = 'id, name, admission_number, admission_key, class_id, version, created_at, updated_at'

/** The table without what searches need: the yardstick for what finding costs in space. */
function plainTable(engine: Engine): string[] {
  const { id, integer, record, end } = wordsOf(engine)
  return [
    `create table plain_students (
      id ${id},
      name text not null,
      admission_number text not null,
      admission_key text not null unique,
      class_id ${integer} not null,
      ${record}
    ${end}`,
    'create index plain_students_class on plain_students (class_id)',
  ]
}

/** Measures SQLite's whole file, accounts and sessions included, beside a fresh file with the plain table alone. */
export function measureSqliteFile(path: string, folder: string): Sizes {
  const plain = join(folder, 'plain.db')
  const db = new DatabaseSync(plain)
  db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000')
  for (const statement of plainTable('sqlite')) db.exec(statement)
  db.prepare('attach ? as full').run(path)
  db.exec(`insert into plain_students (${columns}) select ${columns} from full.students order by id`)
  db.exec('detach full; vacuum')
  db.close()
  const sizes = { fullMb: megabytes(statSync(path).size), plainMb: megabytes(statSync(plain).size) }
  rmSync(plain)
  return sizes
}

/** Measures PostgreSQL's table of students, with all its indexes and its total, beside the plain one. */
export async function measureTable(databaseUrl: string): Promise<Sizes> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const sizeOf = async (...tables: readonly string[]) => {
    const size = 'select sum(pg_total_relation_size(name::regclass)) as bytes from unnest($1::text[]) as name'
    const { rows } = await client.query<{ bytes: string }>(size, [tables])
    return megabytes(Number(rows[0]!.bytes))
  }
  try {
    for (const statement of plainTable('postgres')) await client.query(statement)
    await client.query(`insert into plain_students (${columns}) select ${columns} from students order by id`)
    return { fullMb: await sizeOf('students', 'student_counts'), plainMb: await sizeOf('plain_students') }
  } finally {
    await client.query('drop table plain_students')
    await client.end()
  }
}

function megabytes(bytes: number): number {
  return bytes / 2 ** 20
}
