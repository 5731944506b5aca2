import { sql } from 'kysely'
import { engineOf } from '../../../db/engine.ts'
import type { Db } from '../../../db/tables.ts'

/** How long the lists beside the search indexes may get where many students are written, in KB. */
const longList = 1_024

/**
 * Tells PostgreSQL that a transaction writes many students. Who came of late stands in a list beside a search index
 * (GIN's `fastupdate`), which each search reads: every transaction keeps it at 64 KB (`src/db/postgres.ts`). Emptied
 * less often, it is half the work of the index. The next who writes few empties it.
 */
export async function expectMany(tx: Db): Promise<void> {
  if (engineOf(tx) === 'postgres')
    await sql`set local gin_pending_list_limit = ${sql.lit(longList)}`.execute(tx)
}
