import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { SheetRefusal, tooLarge } from './refusal.ts'
import type { FromThread, ReadingResults, ReadingTask, ReadingTasks, ToThread } from './thread.ts'

/** How much memory a thread may take for objects, in MB. */
const memory = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 128 }

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
      reply = await thread.ask({ type: 'piece', bytes: done ? null : value })
    }
    return reply
  }
  try {
    for (let coming = next(); ; ) {
      const reply = await coming
      if (reply.type === 'refused') throw new SheetRefusal(reply.code, reply.detail)
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
    this.#worker = new Worker(url, { workerData: { task, options }, resourceLimits: memory })
    this.#worker.on('error', () => {}) // whoever waits for a reply learns of it
  }

  /** @throws SheetRefusal where the thread's memory is full */
  async ask(message: ToThread): Promise<FromThread> {
    const replied = once(this.#worker, 'message')
    this.#worker.postMessage(message)
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
