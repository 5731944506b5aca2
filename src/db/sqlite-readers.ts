import { Worker } from 'node:worker_threads'
import type { FileIdentity } from './file-place.ts'
import type { JsonPage } from './page.ts'
import type { Soon } from './soon.ts'
import { type BoundStatement, type PageRead, SqliteReader } from './sqlite-reader.ts'
import type { PageReply, ReadingThreadData } from './sqlite-reading-thread.ts'
import type { SqliteState } from './sqlite-state.ts'
import { DatabaseUnavailableError, SqliteThreadError } from './violations.ts'

/** A page that took less than this may be read on the event loop the next time, in milliseconds of CPU. */
const quickMs = 1
/** What takes longer leaves a thread to the others, in milliseconds of CPU. */
const dearMs = 10
const threads = 2
/** How many pages' costs are remembered. */
const maxRemembered = 10_000

interface Job {
  readonly read: PageRead
  /** Says what was searched for, and is never logged. */
  readonly name: string
  readonly resolve: (found: JsonPage) => void
  readonly reject: (error: unknown) => void
  /** Ends its waiting. */
  readonly timer: NodeJS.Timeout
}

interface Thread {
  readonly worker: Worker
  readonly exited: Promise<void>
  job: Job | undefined
}

export interface ReadersOptions {
  readonly maxWaitMs?: number
  readonly state?: SqliteState
}

/**
 * Who reads a SQLite file: a connection on the event loop for what is quick, and threads for what may take
 * long. Threads are started when first needed.
 */
export class SqliteReaders {
  readonly #path: string
  readonly #here: SqliteReader
  readonly #threads = new Set<Thread>()
  readonly #waiting: Job[] = []
  /** What each page cost when a thread last read it, in milliseconds of CPU, by name; `quickMs`: not known any more. */
  readonly #costs = new Map<string, number>()
  readonly #maxWaitMs: number
  readonly #file: FileIdentity | undefined
  readonly #explain: (error: unknown) => unknown
  #isClosed = false

  /**
   * @param options.maxWaitMs how long a page waits for a thread at the most, in milliseconds
   * @param options.state is told of faults
   */
  constructor(path: string, { maxWaitMs = 5_000, state }: ReadersOptions = {}) {
    this.#path = path
    this.#maxWaitMs = maxWaitMs
    this.#file = state?.file
    this.#explain = state?.explain ?? ((error) => error)
    this.#here = new SqliteReader(path, this.#file)
  }

  /** Reads on the event loop. */
  all(statement: BoundStatement): unknown[] {
    try {
      return this.#here.all(statement)
    } catch (error) {
      throw this.#explain(error)
    }
  }

  endSnapshot(): void {
    this.#here.endSnapshot()
  }

  /** Reads a page on the event loop. */
  page(read: PageRead): JsonPage {
    try {
      return this.#here.page(read)
    } catch (error) {
      throw this.#explain(error)
    }
  }

  /**
   * Reads a page that may take long: beside the event loop, unless the one of this name was quick before.
   * @throws DatabaseUnavailableError when no thread was free in time, or the one that read has died
   */
  pageBeside(read: PageRead, name: string): Soon<JsonPage> {
    if (this.#isClosed) throw closed()
    if ((this.#costs.get(name) ?? quickMs) >= quickMs) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => this.#giveUp(job), this.#maxWaitMs)
        const job: Job = { read, name, resolve, reject, timer }
        this.#waiting.push(job)
        this.#serve()
      })
    }
    const began = performance.now()
    const found = this.page(read)
    // What else the machine did meanwhile is in it; a thread will tell, by its CPU time.
    if (performance.now() - began >= quickMs) this.#remember(name, quickMs)
    return found
  }

  /** Gives idle threads work, in the order of arrival; one thread is always left to what is not known to be dear. */
  #serve(): void {
    while (this.#waiting.length > 0) {
      const isDear = ({ name }: Job) => (this.#costs.get(name) ?? 0) >= dearMs
      const isDearRunning = [...this.#threads].some(({ job }) => job !== undefined && isDear(job))
      const next = this.#waiting.findIndex((job) => !isDearRunning || !isDear(job))
      const thread = next === -1 ? undefined : this.#idleThread()
      if (thread === undefined) return
      const [job] = this.#waiting.splice(next, 1)
      clearTimeout(job!.timer)
      thread.job = job
      thread.worker.ref()
      thread.worker.postMessage(job!.read)
    }
  }

  #giveUp(job: Job): void {
    this.#waiting.splice(this.#waiting.indexOf(job), 1)
    job.reject(new DatabaseUnavailableError('the reading threads are busy'))
  }

  #idleThread(): Thread | undefined {
    for (const thread of this.#threads) if (thread.job === undefined) return thread
    return this.#threads.size < threads ? this.#startThread() : undefined
  }

  #startThread(): Thread {
    const worker = new Worker(new URL('./sqlite-reading-thread.ts', import.meta.url), {
      workerData: { path: this.#path, file: this.#file } satisfies ReadingThreadData,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    const exited = new Promise<void>((resolve) => worker.on('exit', () => resolve()))
    const thread: Thread = { worker, exited, job: undefined }
    this.#threads.add(thread)
    worker.on('message', ({ found, error, ms }: PageReply) => {
      const job = thread.job!
      thread.job = undefined
      worker.unref()
      if (found) {
        this.#remember(job.name, ms)
        job.resolve(found)
      } else job.reject(this.#explain(new SqliteThreadError(error!.message, error!.errcode)))
      this.#serve()
    })
    let fault = 'it was ended'
    worker.on('error', (error) => (fault = (error as Error).message))
    worker.on('exit', () => {
      this.#threads.delete(thread)
      thread.job?.reject(new DatabaseUnavailableError(`a reading thread is lost: ${fault}`))
      this.#serve()
    })
    return thread
  }

  #remember(name: string, ms: number): void {
    this.#costs.delete(name)
    if (this.#costs.size >= maxRemembered) this.#costs.delete(this.#costs.keys().next().value!)
    this.#costs.set(name, ms)
  }

  /** Ends the threads, after what they read; what waits for one is refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#waiting.splice(0)) {
      clearTimeout(job.timer)
      job.reject(closed())
    }
    await Promise.all(
      [...this.#threads].map(({ worker, exited }) => {
        worker.ref()
        worker.postMessage('close')
        return exited
      }),
    )
    this.#here.close()
  }
}

function closed(): DatabaseUnavailableError {
  return new DatabaseUnavailableError('the database is closed')
}
