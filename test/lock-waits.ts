import { sql } from 'kysely'
import type { Db } from '../src/db/tables.ts'

/** How many transactions of a PostgreSQL database wait for another. */
export async function lockWaits(db: Db): Promise<number> {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}
