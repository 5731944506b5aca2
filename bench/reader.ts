import { parentPort, workerData } from 'node:worker_threads'
import { type LoadResult, load } from './client.ts'
import { getOne } from './requests.ts'
import type { Seeded } from './seed.ts'

/*
 * One client that reads a student every few milliseconds, on a thread of its own: what it waits is the
 * server's doing, not that of the load beside it.
 */

export interface ReaderTask {
  readonly port: number
  readonly seeded: Seeded
  readonly seconds: number
  readonly warmUpSeconds: number
}

const { port, seeded, seconds, warmUpSeconds } = workerData as ReaderTask
const result: LoadResult = await load({
  port,
  seconds,
  warmUpSeconds,
  connections: 1,
  everyMs: 5,
  next: getOne(seeded),
})
parentPort!.postMessage(result)
