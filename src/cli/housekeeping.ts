import type { Clock } from '../access/clock.ts'
import { instantAfter } from '../access/clock.ts'
import { deleteOldKeys } from '../access/idempotency.ts'
import { deleteExpiredSessions } from '../access/sessions.ts'
import { deleteSpentKeys } from '../access/signing-keys.ts'
import { deleteOldCounters } from '../access/throttle.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { gatherSearchIndex, mergeSearchIndex } from '../students/search-index.ts'

const everyMs = 10 * 60_000

/**
 * Removes what has run its time: expired sessions, old counters, keys that no living token needs. What a flood
 * left behind, a million rows perhaps, goes in portions, and others write in between. Then merges what the
 * search index has grown by. It ends after the portion in which `stop` is aborted: a server that shuts down
 * waits for no million rows.
 */
export async function keepHouse(
  db: Db,
  clock: Clock,
  tokenTtlSeconds: number,
  stop?: AbortSignal,
): Promise<void> {
  const now = clock()
  const portions = [
    (db: Db) => deleteExpiredSessions(db, now.toISOString()),
    (db: Db) => deleteOldCounters(db, now),
    (db: Db) => deleteOldKeys(db, now),
    async (db: Db) => void (await deleteSpentKeys(db, instantAfter(now, -tokenTtlSeconds * 1000))),
    async (db: Db) => void (await gatherSearchIndex(db)),
    mergeSearchIndex,
  ]
  for (const portion of portions)
    while (!stop?.aborted && (await write(db, { command: 'housekeeping' }, portion)));
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
