import { type RawBuilder, sql } from 'kysely'
import { millisecondsOf } from '../db/migrations/0004-compact.ts'
import type { Engine } from '../db/migrations/index.ts'

/** What a list may be sorted by, and the columns that this means; each has an index, and ends in the id. */
const columns = {
  id: [],
  name: ['folded_name', 'name'],
  admission_number: ['admission_key'],
  created_at: ['created_at'],
} as const

type SortKey = keyof typeof columns

/** A key, with `-` before it for descending. */
export type Sort = SortKey | `-${SortKey}`

export const sorts = (Object.keys(columns) as SortKey[]).flatMap((key): Sort[] => [key, `-${key}`])

/** The columns that a sort looks at besides the id. */
function sortColumns(sort: Sort): readonly string[] {
  return columns[sort.replace('-', '') as SortKey]
}

/** `order by` of a table that has the sort's columns. Texts are compared byte by byte, alike on both engines. */
export function ordering(engine: Engine, sort: Sort, table: string): RawBuilder<unknown> {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const bytewise = (column: string) =>
    engine === 'postgres' && column !== 'created_at' ? sql` collate "C"` : sql``
  const texts = sortColumns(sort).map(
    (column) => sql`${sql.ref(`${table}.${column}`)}${bytewise(column)} ${direction}`,
  )
  return sql.join([...texts, sql`${sql.ref(`${table}.id`)} ${direction}`])
}

/** The same for a list of all students, as the index for it has them: SQLite's has instants in milliseconds. */
export function orderingOfAll(engine: Engine, sort: Sort): RawBuilder<unknown> {
  if (engine === 'postgres' || !sort.endsWith('created_at')) return ordering(engine, sort, 'students')
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  return sql`${sql.raw(millisecondsOf('created_at'))} ${direction}, id ${direction}`
}
