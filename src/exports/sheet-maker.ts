import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Slice } from '../students/lists/slices.ts'
import type { SheetReply, SheetThreadData } from './sheet-thread.ts'

/** How much memory a thread may take for objects, in MB: for a slice of students who have all that they may have. */
const limits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }

/** Makes a file in a thread of its own. */
export class SheetMaker implements AsyncDisposable {
  readonly #worker: Worker

  constructor(data: SheetThreadData) {
    const url = new URL('./sheet-thread.ts', import.meta.url)
    this.#worker = new Worker(url, { workerData: data, resourceLimits: limits })
    this.#worker.on('error', () => {}) // whoever waits for a reply learns of it
  }

  /** Adds the students of a slice, or the end. Await one before the next. @throws whatever ended the thread */
  async add(slice: Slice | 'end'): Promise<SheetReply> {
    const replied = once(this.#worker, 'message')
    this.#worker.postMessage(slice)
    const [reply] = await replied
    return reply
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate()
  }
}
