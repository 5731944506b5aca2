import type { Clock } from '../access/clock.ts'
import { instantAfter } from '../access/clock.ts'
import { deleteOldCounters } from '../access/counters.ts'
import { deleteOldKeys } from '../access/idempotency.ts'
import { deleteOldPairs } from '../access/known-pairs.ts'
import { findCrowdedAccounts, trimSessions } from '../access/session-limit.ts'
import { deleteExpiredSessions } from '../access/sessions.ts'
import { deleteSpentKeys } from '../access/signing-keys.ts'
import type { Db } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { eraseDue, findDue } from '../imports/erasing.ts'
import { upkeepOf } from '../students/lists/lists.ts'
import { deleteIdleUsers } from '../users/removal.ts'

const by = { command: 'housekeeping' }
const everyMs = 10 * 60_000

/**
 * Removes what has expired: sessions, sessions beyond an account's limit, old counters, keys that no valid token
 * needs, and idle accounts that were never granted anything. Then it merges the recent additions to the search index, and
 * erases what imports hold that is due. It works in portions, so that others can write in between: a flood may leave a
 * million rows. It stops after the portion in which `stop` is aborted.
 */
export async function keepHouse(
  db: Db,
  clock: Clock,
  tokenTtlSeconds: number,
  stop?: AbortSignal,
): Promise<void> {
  const now = clock()
  const instant = now.toISOString()
  const run = async (portions: readonly ((tx: Tx) => Promise<unknown>)[]) => {
    for (const portion of portions) while (!stop?.aborted && (await write(db, by, portion)));
  }
  await run([(db) => deleteExpiredSessions(db, instant)])
  if (stop?.aborted) return
  const crowded = await write(db, by, (db) => findCrowdedAccounts(db, instant))
  await run(crowded.map((userId) => (db) => trimSessions(db, userId, instant)))
  await run([
    (db: Db) => deleteOldCounters(db, now),
    (db: Db) => deleteOldPairs(db, now),
    (db: Db) => deleteOldKeys(db, now),
    (tx: Tx) => deleteIdleUsers(tx, now),
    async (db: Db) => void (await deleteSpentKeys(db, instantAfter(now, -tokenTtlSeconds * 1000))),
    ...upkeepOf(db),
  ])
  if (stop?.aborted) return
  const due = await findDue(db, now)
  await run(due.map((id) => (db) => eraseDue(db, id, now)))
}

/** Runs at once, and then every ten minutes. @returns a function that stops it */
export function startHousekeeping(
  work: (stop: AbortSignal) => Promise<void>,
  onFault: (error: unknown) => void,
): () => void {
  const stop = new AbortController()
  const run = () => void work(stop.signal).catch((error) => stop.signal.aborted || onFault(error))
  const timer = setInterval(run, everyMs)
  timer.unref()
  run()
  return () => {
    stop.abort()
    clearInterval(timer)
  }
}
