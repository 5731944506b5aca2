import type { Db } from '../db/tables.ts'

/** Holds the platform's one row until the transaction ends: what must be decided once is decided in turn. */
export async function lockPlatform(db: Db): Promise<void> {
  await db
    .updateTable('platform')
    .set((q) => ({ administrator_since: q.ref('administrator_since') }))
    .where('id', '=', 1)
    .execute()
}
