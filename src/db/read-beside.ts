import type { CompiledQuery } from 'kysely'
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
