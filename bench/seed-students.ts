import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { fold } from '../src/text/fold.ts'
import { admissionKey } from '../src/text/formats.ts'
import { searchText } from '../src/text/search-words.ts'
import { generatePeople } from './people.ts'
import { chooseWords, type SearchWords } from './words.ts'

const peopleSeed = 20_260_901
const batchSize = 5_000

const columns = 'name, admission_number, admission_key, class_id, folded_name, search_text'

/** A student's row as the server would write it: the values of `columns`. */
type Row = readonly [
  name: string,
  admissionNumber: string,
  admissionKey: string,
  classId: number,
  foldedName: string,
  searchText: string,
]

/** The same students each time. */
function* studentRows(students: number): Generator<Row> {
  const people = generatePeople(peopleSeed)
  for (let i = 0; i < students; i++) {
    const { name, admissionNumber, classId } = people.next().value
    const key = admissionKey(admissionNumber)
    yield [name, admissionNumber, key, classId, fold(name), searchText(name, admissionNumber)]
  }
}

/** Writes the students, in one transaction without a flush. @returns what to search for among them */
export function seedSqlite(path: string, students: number): SearchWords {
  const db = new DatabaseSync(path)
  db.exec('pragma synchronous = off; begin')
  const insert = db.prepare(
    `insert into students (${columns}, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const now = new Date().toISOString()
  const counts = new Map<string, number>()
  for (const row of studentRows(students)) {
    insert.run(...row, now, now)
    const foldedName = row[4]
    for (const word of new Set(foldedName.split(/\s+/u))) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  db.exec('commit; pragma wal_checkpoint(truncate)')
  const count = db.prepare('select count(*) as hits from student_search where student_search match ?')
  const words = chooseWords(counts, students, (word) => Number(count.get(`"${word}"`)!.hits))
  db.close()
  return words
}

/**
 * Writes the students into PostgreSQL, in one transaction and in order, so that their ids are the same; then
 * does what autovacuum would do in the minutes after.
 */
export async function seedPostgres(databaseUrl: string, students: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    let batch: Row[] = []
    for (const row of studentRows(students)) {
      batch.push(row)
      if (batch.length === batchSize) batch = await insertBatch(client, batch)
    }
    await insertBatch(client, batch)
    await client.query('commit')
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

/** @returns an empty batch, for the next rows */
async function insertBatch(client: pg.Client, rows: readonly Row[]): Promise<Row[]> {
  const column = (index: number) => rows.map((row) => row[index])
  await client.query(
    `insert into students (${columns}, created_at, updated_at)
     select ${columns}, now(), now()
     from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[])
       with ordinality as batch (${columns}, position)
     order by position`,
    [0, 1, 2, 3, 4, 5].map(column),
  )
  return []
}
