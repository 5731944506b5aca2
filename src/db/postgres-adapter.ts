import { PostgresAdapter } from 'kysely'
import type { PostgresReads } from './postgres-reads.ts'
import type { Db } from './tables.ts'

/** Knows the readers, for statements that are prepared once and bypass Kysely. */
export class ReadingPostgresAdapter extends PostgresAdapter {
  readonly reads: PostgresReads

  constructor(reads: PostgresReads) {
    super()
    this.reads = reads
  }
}

/** The reads of a handle that is not in a transaction. @returns undefined in one, and on SQLite */
export function postgresReadsOf(db: Db): PostgresReads | undefined {
  const { adapter } = db.getExecutor()
  return adapter instanceof ReadingPostgresAdapter && !db.isTransaction ? adapter.reads : undefined
}
