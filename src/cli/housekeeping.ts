import type { Clock } from '../access/clock.ts'
import { instantAfter } from '../access/clock.ts'
import { deleteExpiredSessions } from '../access/sessions.ts'
import { deleteSpentKeys } from '../access/signing-keys.ts'
import { deleteOldCounters } from '../access/throttle.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'

const everyMs = 10 * 60_000

/** Removes what has run its time: expired sessions, old counters, keys that no living token needs. */
export async function keepHouse(db: Db, clock: Clock, tokenTtlSeconds: number): Promise<void> {
  await write(db, { command: 'housekeeping' }, async (db) => {
    const now = clock()
    await deleteExpiredSessions(db, now.toISOString())
    await deleteOldCounters(db, now)
    await deleteSpentKeys(db, instantAfter(now, -tokenTtlSeconds * 1000))
  })
}

/** Keeps house at once, and every ten minutes. @returns a function that stops it */
export function startHousekeeping(work: () => Promise<void>, onFault: (error: unknown) => void): () => void {
  const run = () => void work().catch(onFault)
  const timer = setInterval(run, everyMs)
  timer.unref()
  run()
  return () => clearInterval(timer)
}
