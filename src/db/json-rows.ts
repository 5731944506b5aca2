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
  const names = Object.keys(columns)
  if (engineOf(db) === 'postgres') {
    const typed = names.map((name) => sql`${sql.ref(name)} ${sql.raw(types[columns[name]!])}`)
    return sql`json_to_recordset(${jsonBytes(rows)}::json) as given (${sql.join(typed)})`
  }
  // Arrays in JSONB: what is text is read from its beginning for each member.
  const json = JSON.stringify(rows.map((row) => names.map((name) => (row as Row)[name] ?? null)))
  const selected = names.map((name, i) => sql`value ->> ${sql.lit(i)} as ${sql.ref(name)}`)
  return sql`(select ${sql.join(selected)} from jsonb_each(${json})) as given`
}

/** JSON as a parameter of PostgreSQL, outside of V8's heap: a long text waits there as long as its statement runs. */
export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

type Row = Readonly<Record<string, unknown>>
