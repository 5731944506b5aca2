import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SheetReply, SheetThreadData } from './sheet-thread.ts'

/** How much memory a thread may take for objects, in MB: many times what a slice takes. */
const limits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }

/** Makes a file in a thread of its own. */
export class SheetMaker implements AsyncDisposable {
  readonly #worker: Worker
  #count = 0

  constructor(data: SheetThreadData) {
    const url = new URL('./sheet-thread.ts', import.meta.url)
    this.#worker = new Worker(url, { workerData: data, resourceLimits: limits })
    this.#worker.on('error', () => {}) // whoever waits for a reply learns of it
  }

  /** How many students stand in the file by now. */
  get count(): number {
    return this.#count
  }

  /**
   * Adds the students of a slice, or the end. Await one before the next.
   * @returns what of the file is made by then
   * @throws whatever ended the thread
   */
  async add(json: Uint8Array | 'end'): Promise<Uint8Array> {
    const replied = once(this.#worker, 'message')
    this.#worker.postMessage(json)
    const [{ bytes, count }] = (await replied) as [SheetReply]
    this.#count = count
    return bytes
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate()
  }
}
