import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { Slice } from '../students/lists/slices.ts'
import type { SheetReply, SheetThreadData } from './sheet-thread.ts'

/** How much memory a thread may take for objects, in MB: for a slice of students who have all that they may have. */
const limits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }

/**
 * How full V8's memory for young objects gets, in percent, until it collects them between two turns of an event loop:
 * while this one reads students for files, and else, as V8 has it. Slices fill what they may, and need little: at 80
 * they touch 3 MB more. Where the thread reads them itself, more collections would only take time.
 */
const fullness = { reading: 25, else: 80 }
let filesRead = 0

/** Tells V8 where the first file begins to be read, and where the last one ends. */
function countRead(by: 1 | -1): void {
  filesRead += by
  const percent = filesRead > 0 ? fullness.reading : fullness.else
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
    if (this.#isReadHere) countRead(1)
  }

  /** Adds the students of a slice, or the end. Await one before the next. @throws whatever ended the thread */
  async add(slice: Slice | 'end'): Promise<SheetReply> {
    const replied = once(this.#worker, 'message')
    this.#worker.postMessage(slice)
    const [reply] = await replied
    return reply
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isReadHere) countRead(-1)
    await this.#worker.terminate()
  }
}
