import { type RawBuilder, sql } from 'kysely'
import type { Db, Tables } from './tables.ts'

const atMost = 1_000

/**
 * Removes a thousand rows at most, so that other writes need not wait long.
 * @param key the table's key
 * @returns whether there may be more
 */
export async function deletePortion(
  db: Db,
  table: keyof Tables,
  key: string,
  isOld: RawBuilder<unknown>,
): Promise<boolean> {
  const [from, column] = [sql.table(table), sql.ref(key)]
  const { numAffectedRows } = await sql`
    delete from ${from} where ${column} in (select ${column} from ${from} where ${isOld} limit ${sql.lit(atMost)})
  `.execute(db)
  return numAffectedRows === BigInt(atMost)
}
