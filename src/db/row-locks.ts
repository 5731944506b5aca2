import { sql } from 'kysely'
import { engineOf } from './engine.ts'
import { isOneOf } from './is-one-of.ts'
import type { Db } from './tables.ts'

/** Rows that writes lock. */
type LockedTable = 'classes' | 'students' | 'change_sets' | 'field_changes' | 'school' | 'imports' | 'users'

/**
 * Waits for other writes of a row, and lets none change it until this write ends. On SQLite there is one write at a
 * time.
 */
export async function lockRow(db: Db, table: LockedTable, id: number): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await db.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** The same for rows, in the order of their ids: of two writes, never does each wait for the other. */
export async function lockRows(db: Db, table: LockedTable, ids: readonly number[]): Promise<void> {
  if (engineOf(db) === 'sqlite' || ids.length === 0) return
  await db
    .selectFrom(table)
    .select('id')
    .where(isOneOf(db, 'id', ids))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** The same for rows, beside others that only want them to stay as they are. */
export async function shareRows(db: Db, table: LockedTable, ids: readonly number[]): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await db
    .selectFrom(table)
    .select('id')
    .where(isOneOf(db, 'id', ids))
    .orderBy('id')
    .forShare()
    .execute()
}

/** Any number that no other lock of this kind has. */
const creations = 1

/**
 * Waits until no other write creates students by hundreds, and lets none begin until this write ends: two that are open
 * at once on PostgreSQL do not see each other's students.
 */
export async function lockCreations(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await sql`select pg_advisory_xact_lock(${sql.lit(creations)})`.execute(db)
}
