import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../db/tables.ts'
import { isWorthRetrying } from '../db/violations.ts'
import { ChangeLog, type Maker, type Tx } from './log.ts'

/** Who writes: an account over HTTP, or a command on the machine. Ids only; it may be logged. */
export interface Author<Authority = unknown> extends Maker {
  /**
   * Reads what a caller over HTTP may do now.
   * @throws Problem token_invalid or permission_denied where that has ended since the request was admitted
   */
  readonly readmit?: (db: Db) => Promise<Authority>
}

/** How often a work is tried that the database ended because of a conflict (a deadlock, a failed serialisation). */
const maxTries = 6

/**
 * The one door for writes. A caller over HTTP is admitted again first, and the work gets what that caller may do.
 * `work` runs completely or not at all, and its result is returned when it is on disk. It may run again from its
 * beginning, so it must change nothing but the database. Inside, await only the `db` that it gets: on SQLite other
 * writes wait for this one. What it records through `tx.record` is written as one change set at its end.
 * @param lock waits for other writes of the same record, before the caller is admitted again: it then sees what ended
 * during the wait
 */
export async function write<Result, Authority>(
  db: Db,
  by: Author<Authority>,
  work: (tx: Tx, authority: Authority) => Promise<Result>,
  lock?: (db: Db) => Promise<unknown>,
): Promise<Result> {
  const whole = async (db: Db) => {
    if (lock !== undefined) await lock(db)
    const authority = by.readmit === undefined ? undefined : await by.readmit(db)
    const log = new ChangeLog(by)
    const result = await work(log.handle(db), authority as Authority)
    await log.write(db)
    return result
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
