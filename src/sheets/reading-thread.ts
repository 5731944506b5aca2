import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { SheetRefusal, tooLarge } from './refusal.ts'
import type { FromThread, ReadingResults, ReadingTask, ReadingTasks, ToThread } from './thread.ts'

/** How much memory a thread may take for objects, in MB. Young ones are many while XML is read. */
const memoryOfText = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 48 }
const memoryOfWorkbook = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 96 }

/**
 * Reads a file in a thread of its own, which ends with the last result, or when no more are taken. While a result is
 * looked at, the next one is made.
 * @throws SheetRefusal
 */
export async function* readInThread<Task extends ReadingTask>(
  file: AsyncIterable<Uint8Array>,
  task: Task,
  options: ReadingTasks[Task],
): AsyncGenerator<ReadingResults[Task]> {
  const pieces = file[Symbol.asyncIterator]()
  const thread = new Thread(task, options)
  const next = async (): Promise<FromThread> => {
    let reply = await thread.ask({ type: 'next' })
    while (reply.type === 'wants piece') {
      const { value, done } = await pieces.next()
      // A copy, which becomes the thread's: of a part of a buffer all would be sent, and cloned.
      const bytes = done ? null : new Uint8Array(value)
      reply = await thread.ask({ type: 'piece', bytes }, bytes ? [bytes.buffer] : [])
    }
    return reply
  }
  try {
    for (let coming = next(); ; ) {
      const reply = await coming
      if (reply.type === 'refused') throw new SheetRefusal(reply.code, reply.detail, reply.params)
      if (reply.type !== 'result') return
      coming = next()
      coming.catch(() => {}) // told to who takes the next result
      yield JSON.parse(reply.json)
    }
  } finally {
    await thread.end()
    await pieces.return?.()
  }
}

class Thread {
  readonly #worker: Worker

  constructor(task: ReadingTask, options: object) {
    const url = new URL('./thread.ts', import.meta.url)
    const resourceLimits = task === 'workbook' ? memoryOfWorkbook : memoryOfText
    this.#worker = new Worker(url, { workerData: { task, options }, resourceLimits })
    this.#worker.on('error', () => {}) // whoever waits for a reply learns of it
  }

  /** @throws SheetRefusal where the thread's memory is full */
  async ask(message: ToThread, given: readonly ArrayBuffer[] = []): Promise<FromThread> {
    const replied = once(this.#worker, 'message')
    this.#worker.postMessage(message, given)
    try {
      const [reply] = await replied
      return reply
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
