import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { Slice } from '../students/lists/slices.ts'
import type { SheetReply, SheetThreadData } from './sheet-thread.ts'

/** How much memory a thread may take for objects, in MB: for a slice of students who have all that they may have. */
const limits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }

/**
 * How full V8's memory for young objects gets, in percent, until it collects them between two turns of an event loop.
 * While this one reads students for files, it is less than V8's own: slices need little, and would touch 3 MB more.
 * Where the thread reads them itself, more collections would only take time.
 */
const fullness = { reading: 25, usual: 80 }

function collectAt(percent: number): void {
  setFlagsFromString(`--minor-gc-task-trigger=${percent}`)
}

/** Makes a file in a thread of its own. */
export class SheetMaker implements AsyncDisposable {
  readonly #worker: Worker
  readonly #isReadHere: boolean

  constructor(data: SheetThreadData) {
    const url = new URL('./sheet-thread.ts', import.meta.url)
    this.#worker = new Worker(url, { workerData: data, resourceLimits: limits })
    this.#worker.on('error', () => {}) // whoever waits for a reply learns of it
    this.#isReadHere = data.place === undefined
  }

  /** Adds the students of a slice, or the end. Await one before the next. @throws whatever ended the thread */
  async add(slice: Slice | 'end'): Promise<SheetReply> {
    if (this.#isReadHere) collectAt(fullness.reading)
    const replied = once(this.#worker, 'message')
    this.#worker.postMessage(slice)
    const [reply] = await replied
    return reply
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isReadHere) collectAt(fullness.usual) // another file sets it again by its next slice
    await this.#worker.terminate()
  }
}
