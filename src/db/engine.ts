import { PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Engine } from './migrations/index.ts'
import { sqliteStateOf } from './sqlite-readers.ts'
import type { Db, Instant } from './tables.ts'
import { DatabaseUnavailableError } from './violations.ts'

/** Which engine a handle speaks to, inside a transaction too. */
export function engineOf(db: Db): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/** What makes a text be compared byte by byte, as the indexes on texts have it. */
export function bytewise(db: Db): RawBuilder<unknown> {
  return engineOf(db) === 'postgres' ? sql`collate "C"` : sql``
}

/** A condition on a text: its last character is a digit, 0 to 9. */
export function endsInDigit(db: Db, column: string): RawBuilder<boolean> {
  return sql`${sql.ref(column)} ${engineOf(db) === 'postgres' ? sql`~ '[0-9]$'` : sql`glob '*[0-9]'`}`
}

/** An instant where the engine can't tell its type from the column: behind `select`. */
export function instantOn(db: Db, instant: Instant): RawBuilder<Instant> {
  return engineOf(db) === 'postgres' ? sql`cast(${instant} as timestamptz)` : sql`${instant}`
}

/** Aggregates a column's values, with commas between. */
export function listed(db: Db, column: string): RawBuilder<string> {
  return engineOf(db) === 'postgres'
    ? sql`string_agg(${sql.ref(column)}::text, ',')`
    : sql`group_concat(${sql.ref(column)})`
}

/**
 * Asks the database for an answer.
 * @throws whatever a read throws; DatabaseStateError for a SQLite file that takes no writes. Also
 * DatabaseUnavailableError for a PostgreSQL that takes no writes, such as the former primary after a failover.
 */
export async function checkServes(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') {
    sqliteStateOf(db)!.check()
    await db.selectFrom('platform').select('id').execute()
    return
  }
  const { rows } = await sql<{ read_only: string }>`
    select current_setting('transaction_read_only') as read_only from platform`.execute(db)
  if (rows[0]?.read_only !== 'off') throw new DatabaseUnavailableError('the database is read-only')
}
