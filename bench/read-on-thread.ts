import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { LoadResult } from './client.ts'
import type { ReaderTask } from './reader.ts'

/** Reads students as one client on a thread of its own: what this thread does meanwhile costs it nothing. */
export async function readOnThread(task: ReaderTask): Promise<LoadResult> {
  const thread = new Worker(new URL('./reader.ts', import.meta.url), { workerData: task })
  const [result] = await once(thread, 'message')
  return result
}
