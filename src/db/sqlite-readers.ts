import { Worker } from 'node:worker_threads'
import { SqliteAdapter } from 'kysely'
import type { FileIdentity } from './file-place.ts'
import { type BoundStatement, type FoundPage, type PageRead, SqliteReader } from './sqlite-reader.ts'
import type { PageReply, ReadingThreadData } from './sqlite-reading-thread.ts'
import type { SqliteState } from './sqlite-state.ts'
import type { Db } from './tables.ts'
import { DatabaseUnavailableError, SqliteThreadError } from './violations.ts'

const threads = 2

/** A page that a thread has read, and what that cost in milliseconds of CPU. */
interface PageBeside {
  readonly found: FoundPage
  readonly ms: number
}

interface Job {
  readonly read: PageRead
  readonly resolve: (page: PageBeside) => void
  readonly reject: (error: unknown) => void
  /** Ends its waiting. */
  readonly timer: NodeJS.Timeout
}

interface Thread {
  readonly worker: Worker
  readonly exited: Promise<void>
  job: Job | undefined
}

interface ReadersOptions {
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

  /** The file that it reads. */
  get place(): ReadingThreadData {
    return { path: this.#path, file: this.#file }
  }

  /** Reads on the event loop. */
  all(statement: BoundStatement): unknown[] {
    try {
      return this.#here.all(statement)
    } catch (error) {
      throw this.#explain(error)
    }
  }

  /** The names of the columns that a statement gives. */
  columnsOf(statement: BoundStatement): readonly string[] {
    try {
      return this.#here.columnsOf(statement)
    } catch (error) {
      throw this.#explain(error)
    }
  }

  readonly endSnapshot = (): void => this.#here.endSnapshot()

  /** Reads a page on the event loop. */
  page(read: PageRead): FoundPage {
    try {
      return this.#here.page(read)
    } catch (error) {
      throw this.#explain(error)
    }
  }

  /**
   * Reads a page that may take long, in a thread.
   * @throws DatabaseUnavailableError when no thread was free in time, or the one that read has died
   */
  async pageBeside(read: PageRead): Promise<PageBeside> {
    if (this.#isClosed) throw closed()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(job), this.#maxWaitMs)
      const job: Job = { read, resolve, reject, timer }
      this.#waiting.push(job)
      this.#serve()
    })
  }

  /** Gives idle threads work, in the order of arrival. */
  #serve(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#idleThread()
      if (thread === undefined) return
      const job = this.#waiting.shift()!
      clearTimeout(job.timer)
      thread.job = job
      thread.worker.ref()
      thread.worker.postMessage(job.read)
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
      if (found) job.resolve({ found, ms })
      else job.reject(this.#explain(new SqliteThreadError(error!.message, error!.errcode)))
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

/** Reads run beside one another on the reading connections; writes queue for the writing one. */
export class ReadingSqliteAdapter extends SqliteAdapter {
  /** Who reads, for statements that are prepared once and go past Kysely. */
  readonly readers: SqliteReaders
  readonly state: SqliteState

  constructor(readers: SqliteReaders, state: SqliteState) {
    super()
    this.readers = readers
    this.state = state
  }

  override get supportsMultipleConnections() {
    return true
  }
}

/** The readers of a handle that is not in a transaction. @returns undefined in one, and on PostgreSQL */
export function sqliteReadersOf(db: Db): SqliteReaders | undefined {
  const { adapter } = db.getExecutor()
  return adapter instanceof ReadingSqliteAdapter && !db.isTransaction ? adapter.readers : undefined
}

/** What is known of the file that a handle is of. @returns undefined on PostgreSQL */
export function sqliteStateOf(db: Db): SqliteState | undefined {
  const { adapter } = db.getExecutor()
  return adapter instanceof ReadingSqliteAdapter ? adapter.state : undefined
}

function closed(): DatabaseUnavailableError {
  return new DatabaseUnavailableError('the database is closed')
}
