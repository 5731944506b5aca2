import type { Db } from '../db/tables.ts'

/** Who writes: an account over HTTP, or a command on the machine. Ids only; it may be logged. */
export interface Author {
  readonly userId?: number
  readonly command?: string
  readonly address?: string
  readonly requestId?: string
}

/**
 * The one door for writes. `work` runs whole or not at all, and its result comes when it is on disk.
 * Inside, nothing but the `db` that it is given is awaited: on SQLite other writes wait for this one.
 */
export function write<Result>(db: Db, _by: Author, work: (db: Db) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(work)
}
