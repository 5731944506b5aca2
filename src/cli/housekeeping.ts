import type { Clock } from '../access/clock.ts'
import { instantAfter } from '../access/clock.ts'
import { deleteOldCounters } from '../access/counters.ts'
import { deleteOldKeys } from '../access/idempotency.ts'
import { deleteOldPairs } from '../access/known-pairs.ts'
import { findCrowdedAccounts, trimSessions } from '../access/session-limit.ts'
import { deleteExpiredSessions } from '../access/sessions.ts'
import { deleteSpentKeys } from '../access/signing-keys.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { upkeepOf } from '../students/lists/lists.ts'
import { deleteIdleUsers } from '../users/removal.ts'

const by = { command: 'housekeeping' }
const everyMs = 10 * 60_000

/**
 * Removes what has run its time: expired sessions and those beyond an account's limit, old counters, keys that no
 * living token needs, idle accounts that were never granted anything. What a flood left behind, a million rows perhaps,
 * goes in portions, and others write in between. Then merges what the search index has grown by. It ends after the
 * portion in which `stop` is aborted: a server that shuts down waits for no million rows.
 */
export async function keepHouse(
  db: Db,
  clock: Clock,
  tokenTtlSeconds: number,
  stop?: AbortSignal,
): Promise<void> {
  const now = clock()
  const instant = now.toISOString()
  const run = async (portions: readonly ((db: Db) => Promise<unknown>)[]) => {
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
    (db: Db) => deleteIdleUsers(db, now),
    async (db: Db) => void (await deleteSpentKeys(db, instantAfter(now, -tokenTtlSeconds * 1000))),
    ...upkeepOf(db),
  ])
}

/** Keeps house at once, and every ten minutes. @returns a function that stops it */
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
