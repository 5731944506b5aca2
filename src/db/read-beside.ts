import { CompiledQuery } from 'kysely'
import { sqliteReadersOf } from './sqlite-readers.ts'
import type { Db } from './tables.ts'

/**
 * Reads rows that may take long: on SQLite in a thread, so that the event loop goes on.
 * @param columns the names of the columns; their values are numbers, texts or null
 * @throws DatabaseUnavailableError when no thread was free in time
 */
export async function rowsBeside<Row>(
  db: Db,
  query: CompiledQuery<Row>,
  columns: readonly (keyof Row & string)[],
): Promise<Row[]> {
  const readers = sqliteReadersOf(db)
  if (readers === undefined) return (await db.executeQuery(query)).rows
  const members = columns.map((column) => `'${column}', "${column}"`).join(', ')
  const page = {
    sql: `select count(*) as count, cast(json_group_array(json_object(${members})) as blob) as json from (${query.sql})`,
    parameters: query.parameters,
  }
  const none = { sql: 'select 0 as total', parameters: [] }
  const { found } = await readers.pageBeside({ page, total: none, limit: Infinity, offset: 0 })
  return JSON.parse(Buffer.from(found.json).toString())
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
  const sql = `select count(*) as count, cast(json_group_array(json_array(${names})) as blob) as json from ${rows}`
  const page = { sql: sql.replaceAll(':after', '?1'), parameters }
  // It is no page of a longer list, so no total is asked for.
  const read = { page, total: page, limit: Number.POSITIVE_INFINITY, offset: 0 }
  const { found } = await readers.pageBeside(read)
  return found.json
}

/** Those rows, where they are few. */
export async function rowsAside<Row extends readonly unknown[]>(...read: Parameters<typeof readAside>) {
  const json = await readAside(...read)
  return JSON.parse(typeof json === 'string' ? json : Buffer.from(json).toString()) as Row[]
}
