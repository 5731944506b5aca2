import { sql } from 'kysely'
import { bytewise } from '../db/engine.ts'
import type { Db } from '../db/tables.ts'

/** What migration 9 set before the id in the key of a twin: of records that look alike, the lowest id has the key. */
export const twinMark = '\u0001'

/** Gives a key that its record has given up to the next of that record's twins, so that no new record takes it. */
export async function passKeyOn(
  db: Db,
  [table, column]: ['students', 'admission_key'] | ['classes', 'label_key'],
  key: string,
): Promise<void> {
  const [first, last] = [`${key}${twinMark}`, `${key}${twinMark}:`] // digits follow the mark, and a colon follows digits
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${key} where id = (
    select min(id) from ${sql.table(table)} where ${sql.ref(column)} ${bytewise(db)} > ${first} and ${sql.ref(column)} ${bytewise(db)} < ${last}
  )`.execute(db)
}
