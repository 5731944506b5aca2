import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../db/tables.ts'
import { isWorthRetrying } from '../db/violations.ts'

/** Who writes: an account over HTTP, or a command on the machine. Ids only; it may be logged. */
export interface Author<Authority = unknown> {
  readonly userId?: number
  readonly command?: string
  readonly address?: string
  readonly requestId?: string
  /**
   * Reads what a caller over HTTP may do by now.
   * @throws Problem token_invalid or permission_denied where that has ended since the request was let in
   */
  readonly readmit?: (db: Db) => Promise<Authority>
}

/** How often a work is tried that the database ends for another's sake (a deadlock, a failed serialisation). */
const maxTries = 6

/**
 * The one door for writes. A caller over HTTP is readmitted first, and the work is handed what that caller may do.
 * `work` runs whole or not at all, and its result comes when it is on disk; it may run again from its beginning, so
 * it changes nothing but the database. Inside, nothing but the `db` that it is given is awaited: on SQLite other
 * writes wait for this one.
 * @param lock waits for other writes of the same record, before the caller is readmitted: what ended during the wait
 * is seen
 */
export async function write<Result, Authority>(
  db: Db,
  by: Author<Authority>,
  work: (db: Db, authority: Authority) => Promise<Result>,
  lock?: (db: Db) => Promise<unknown>,
): Promise<Result> {
  const whole = async (db: Db) => {
    if (lock !== undefined) await lock(db)
    const authority = by.readmit === undefined ? undefined : await by.readmit(db)
    return work(db, authority as Authority)
  }
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(whole)
    } catch (error) {
      if (!isWorthRetrying(error) || tries === maxTries) throw error
      await pause(Math.random() * 10 * 2 ** tries)
    }
  }
}
