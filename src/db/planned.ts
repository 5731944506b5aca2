import type { Compilable, QueryResult } from 'kysely'
import { plannedEachTime } from './statement-marks.ts'
import type { Db } from './tables.ts'

/**
 * Runs a statement for many rows, which PostgreSQL plans each time: a plan that it keeps was made when the tables were
 * smaller, and reads all of them.
 */
export function executePlanned<Row>(
  db: Db,
  query: Compilable<Row> | { compile: (db: Db) => ReturnType<Compilable<Row>['compile']> },
): Promise<QueryResult<Row>> {
  const compiled = query.compile(db)
  return db.executeQuery({ ...compiled, sql: `${plannedEachTime}${compiled.sql}` })
}
