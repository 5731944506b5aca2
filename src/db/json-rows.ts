import { type RawBuilder, sql } from 'kysely'
import { engineOf } from './engine.ts'
import type { Db } from './tables.ts'

const types = { integer: 'bigint', text: 'text', instant: 'timestamptz' } as const

/**
 * Rows that a statement is given as one text of JSON, however many there are: a table called `given`.
 * @param columns the members of each row, and what they hold
 */
export function jsonRows(
  db: Db,
  rows: readonly object[],
  columns: Readonly<Record<string, keyof typeof types>>,
): RawBuilder<unknown> {
  const [json, names] = [JSON.stringify(rows), Object.entries(columns)]
  if (engineOf(db) === 'postgres') {
    const typed = names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(types[type])}`)
    return sql`json_to_recordset(${json}::json) as given (${sql.join(typed)})`
  }
  const selected = names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
  return sql`(select ${sql.join(selected)} from json_each(${json})) as given`
}
