import type { Clock } from '../access/clock.ts'
import { instantAfter } from '../access/clock.ts'
import { deleteExpiredSessions } from '../access/sessions.ts'
import { deleteSpentKeys } from '../access/signing-keys.ts'
import { deleteOldCounters } from '../access/throttle.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { mergeSearchIndex } from '../students/search-index.ts'

const everyMs = 10 * 60_000

/**
 * Removes what has run its time: expired sessions, old counters, keys that no living token needs. What a flood
 * left behind, a million rows perhaps, goes in portions, and others write in between. Then merges what the
 * search index has grown by.
 */
export async function keepHouse(db: Db, clock: Clock, tokenTtlSeconds: number): Promise<void> {
  const by = { command: 'housekeeping' }
  const now = clock()
  while (await write(db, by, (db) => deleteExpiredSessions(db, now.toISOString())));
  while (await write(db, by, (db) => deleteOldCounters(db, now)));
  await write(db, by, (db) => deleteSpentKeys(db, instantAfter(now, -tokenTtlSeconds * 1000)))
  while (await write(db, by, mergeSearchIndex));
}

/** Keeps house at once, and every ten minutes. @returns a function that stops it */
export function startHousekeeping(work: () => Promise<void>, onFault: (error: unknown) => void): () => void {
  let stopped = false
  const run = () => void work().catch((error) => stopped || onFault(error))
  const timer = setInterval(run, everyMs)
  timer.unref()
  run()
  return () => {
    stopped = true
    clearInterval(timer)
  }
}
