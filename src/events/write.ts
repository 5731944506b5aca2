import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../db/tables.ts'
import { isWorthRetrying } from '../db/violations.ts'

/** Who writes: an account over HTTP, or a command on the machine. Ids only; it may be logged. */
export interface Author {
  readonly userId?: number
  readonly command?: string
  readonly address?: string
  readonly requestId?: string
}

/** How often a work is tried that the database ends for another's sake (a deadlock, a failed serialisation). */
const maxTries = 6

/**
 * The one door for writes. `work` runs whole or not at all, and its result comes when it is on disk; it may
 * run again from its beginning, so it changes nothing but the database. Inside, nothing but the `db` that it
 * is given is awaited: on SQLite other writes wait for this one.
 */
export async function write<Result>(db: Db, _by: Author, work: (db: Db) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isWorthRetrying(error) || tries === maxTries) throw error
      await pause(Math.random() * 10 * 2 ** tries)
    }
  }
}
