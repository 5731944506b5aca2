import { setImmediate as turn } from 'node:timers/promises'
import { instantAfter } from '../access/clock.ts'
import type { Db } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import type { JobParts } from './jobs.ts'
import { holdLease, LeaseLostError, leaseMs, type Progress, type Taken } from './leases.ts'
import type { StepWork } from './steps.ts'

/** How often a lease is held for longer, in milliseconds, whatever the step does. */
const holdEveryMs = 4_000

/** How often progress is noted between slices, in milliseconds. */
const noteEveryMs = 1_000

/** What a step works with, while this instance holds its import. */
export function workOn({
  db,
  clock,
  lists,
  taken,
  stop,
}: Omit<JobParts, 'log' | 'steps'> & {
  readonly taken: Taken
  readonly stop: AbortSignal
}): StepWork & AsyncDisposable {
  const lost = new AbortController()
  const signal = AbortSignal.any([stop, lost.signal])
  let notedAt = performance.now()
  /** What was told last: the write of the next slice notes it. */
  let told: Progress | undefined

  async function hold(tx: Db, done?: number, total?: number): Promise<void> {
    if (done !== undefined) told = { done, total }
    await holdLease(tx, taken, instantAfter(clock(), leaseMs), told)
    notedAt = performance.now()
  }

  let holding: Promise<void> | undefined
  const timer = setInterval(() => {
    holding ??= write(db, {}, (tx) => hold(tx)) // which waits for the write of a slice
      .catch((error) => {
        if (error instanceof LeaseLostError) lost.abort(error)
      })
      .finally(() => {
        holding = undefined
      })
  }, holdEveryMs).unref()

  return {
    ...{ db, lists, clock, signal, hold },
    async beat(done, total) {
      told = { done, total }
      await turn()
      signal.throwIfAborted()
      if (performance.now() - notedAt < noteEveryMs) return
      await write(db, {}, (tx) => hold(tx))
    },
    write: <Result>(work: (tx: Tx) => Promise<Result>, done?: number) =>
      write(db, {}, async (tx) => {
        await hold(tx, done)
        return work(tx)
      }),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await holding
    },
  }
}
