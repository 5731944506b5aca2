import { CompiledQuery, type RawBuilder } from 'kysely'
import { type SqliteReaders, sqliteReadersOf } from './sqlite-readers.ts'
import type { Db } from './tables.ts'

/**
 * Reads rows of numbers, texts and nulls that may take long: on SQLite in a thread, so that the event loop goes on.
 * @throws DatabaseUnavailableError when no thread was free in time
 */
export async function rowsBeside<Row>(
  db: Db,
  asked: { compile(db: Db): CompiledQuery<Row> },
): Promise<Row[]> {
  const query = asked.compile(db)
  const readers = sqliteReadersOf(db)
  if (readers === undefined) return (await db.executeQuery(query)).rows
  const members = readers.columnsOf(query).map((column) => `'${column}', "${column}"`)
  const json = await jsonBeside(
    readers,
    `json_object(${members.join(', ')})`,
    `(${query.sql})`,
    query.parameters,
  )
  return JSON.parse(Buffer.from(json).toString())
}

/** Reads one number that may take long, as `count`: see `rowsBeside`. */
export async function countBeside(db: Db, query: RawBuilder<{ count: number }>): Promise<number> {
  const [row] = await rowsBeside(db, query)
  return Number(row!.count)
}

/** Reads all rows in a thread, each as this JSON. */
async function jsonBeside(
  readers: SqliteReaders,
  row: string,
  from: string,
  parameters: readonly unknown[],
): Promise<Uint8Array> {
  const sql = `select count(*) as count, cast(json_group_array(${row}) as blob) as json from ${from}`
  const { found } = await readers.pageBeside({ page: { sql, parameters }, limit: Infinity, offset: 0 })
  return found.json
}

/**
 * Reads beside other requests: on SQLite in a reading thread, on PostgreSQL on a connection of its own.
 * @param columns what is selected, in SQL
 * @param rest the statement from `from` on; `:after` stands for a number
 * @returns the rows as JSON: an array of arrays
 */
export async function readAside(
  db: Db,
  columns: readonly string[],
  rest: string,
  after?: number,
): Promise<Uint8Array | string> {
  const selected = columns.map((column, i) => `${column} as c${i}`)
  const rows = `(select ${selected.join(', ')} ${rest}) as read`
  const names = columns.map((_, i) => `c${i}`).join(', ')
  const parameters = after === undefined ? [] : [after]
  const readers = sqliteReadersOf(db)
  if (readers === undefined) {
    const sql = `select coalesce(json_agg(json_build_array(${names})), '[]')::text as json from ${rows}`
    const query = CompiledQuery.raw(sql.replaceAll(':after', '$1'), parameters)
    const result = await db.executeQuery<{ json: string }>(query)
    return result.rows[0]!.json
  }
  return jsonBeside(readers, `json_array(${names})`, rows.replaceAll(':after', '?1'), parameters)
}

/** Those rows, where they are few. */
export async function rowsAside<Row extends readonly unknown[]>(...read: Parameters<typeof readAside>) {
  const json = await readAside(...read)
  return JSON.parse(typeof json === 'string' ? json : Buffer.from(json).toString()) as Row[]
}
