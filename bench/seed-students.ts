import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { postgresDerived, sqliteDerived } from '../src/students/lists/derived.ts'
import type { Engine } from './options.ts'
import { generatePeople } from './people.ts'
import { chooseWords, type SearchWords, WordCounts } from './words.ts'

const peopleSeed = 20_260_901
const batchSize = 5_000
/** How many students, evenly spread, are told by name. */
const sampleSize = 2_000

/** What is written of a student. */
function columnsOf(engine: Engine): string {
  const searched = engine === 'postgres' ? 'search_text' : 'further_words'
  return ['name', 'admission_number', 'class_id', 'admission_key', 'folded_name', searched].join(', ')
}

/** A student's row as the server would write it: the values of `columnsOf`. */
type Row = readonly [
  name: string,
  admissionNumber: string,
  classId: number,
  admissionKey: string,
  foldedName: string,
  searchText: string,
]

/** What can be asked of seeded students. */
export interface SeededStudents {
  readonly students: number
  readonly words: SearchWords
  /** Some of the students, evenly spread over all. */
  readonly sample: readonly { readonly name: string; readonly admissionNumber: string }[]
}

/** The same students each time. */
function* studentRows(engine: Engine, students: number): Generator<Row> {
  const people = generatePeople(peopleSeed)
  for (let i = 0; i < students; i++) {
    const { name, admissionNumber, classId } = people.next().value
    const student = { name, admission_number: admissionNumber }
    const derived = (engine === 'postgres' ? postgresDerived : sqliteDerived)(student)
    const { admission_key, folded_name, search_text, further_words } = derived
    yield [name, admissionNumber, classId, admission_key, folded_name, (search_text ?? further_words)!]
  }
}

/** Writes the students, without a journal and without a flush. @returns what to ask for among them */
export function seedSqlite(path: string, students: number): SeededStudents {
  const db = new DatabaseSync(path)
  db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000; begin')
  const write = rowWriter(db)
  const counts = new WordCounts()
  const sampled: Row[] = []
  const sampleEvery = Math.ceil(students / sampleSize)
  let written = 0
  for (const row of studentRows('sqlite', students)) {
    write(row)
    counts.add(row[4])
    if (written++ % sampleEvery === 0) sampled.push(row)
  }
  db.exec('commit; pragma journal_mode = wal')
  db.close()
  const foldedNames = sampled.map((row) => row[4])
  return {
    students,
    words: chooseWords(counts, students, foldedNames),
    sample: sampled.map(([name, admissionNumber]) => ({ name, admissionNumber })),
  }
}

/** Writes a row, and what a search for it reads: the schema's triggers fill the search index. */
function rowWriter(db: DatabaseSync): (row: Row) => void {
  const insert = db.prepare(
    `insert into students (${columnsOf('sqlite')}, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const now = new Date().toISOString()
  return (row) => void insert.run(...row, now, now)
}

/**
 * Writes the students into PostgreSQL, in one transaction and in order, so that their ids are the same; then
 * does what autovacuum would do in the minutes after. The search index is built when they are all there:
 * the same one, several times sooner.
 */
export async function seedPostgres(databaseUrl: string, students: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query("begin; set local maintenance_work_mem = '512MB'")
    const rebuild = await dropSearchIndexes(client)
    let batch: Row[] = []
    for (const row of studentRows('postgres', students)) {
      batch.push(row)
      if (batch.length === batchSize) batch = await insertBatch(client, batch)
    }
    await insertBatch(client, batch)
    for (const definition of rebuild) await client.query(definition)
    await client.query('commit')
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

/** @returns the statements that make the indexes again */
async function dropSearchIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'students' and indexdef like '% USING gin %'`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** @returns an empty batch, for the next rows */
async function insertBatch(client: pg.Client, rows: readonly Row[]): Promise<Row[]> {
  const columns = columnsOf('postgres')
  const column = (index: number) => rows.map((row) => row[index])
  await client.query(
    `insert into students (${columns}, created_at, updated_at)
     select ${columns}, now(), now()
     from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[])
       with ordinality as batch (${columns}, position)
     order by position`,
    [0, 1, 2, 3, 4, 5].map(column),
  )
  return []
}
