import { CompiledQuery } from 'kysely'
import type { PortableRead, ReadingPlace } from './portable-reader.ts'
import type { BoundStatement } from './sqlite-reader.ts'
import { sqliteReadersOf } from './sqlite-readers.ts'
import type { Db } from './tables.ts'

/** Where a thread reads what `portableRead` gives. */
export function readingPlaceOf(db: Db): ReadingPlace {
  return sqliteReadersOf(db)?.place
}

/** A read that can be sent to a thread: made by it where it can, so that the rows are not sent. */
export async function portableRead<Row>(db: Db, statement: BoundStatement): Promise<PortableRead<Row>> {
  if (readingPlaceOf(db) !== undefined) return { statement }
  const { sql, parameters } = statement
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))
  return { rows }
}
