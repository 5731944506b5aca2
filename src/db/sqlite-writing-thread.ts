import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { freeBytes } from '../sheets/in-the-background.ts'

/*
 * The thread with SQLite's only writing connection, so that a flush never blocks the event loop. It runs statements
 * in the order of arrival, and answers each.
 */

/** How the writing connection is opened; `flushDelayMs` makes each commit slower, for tests of slow disks. */
export interface WriterSettings {
  readonly path: string
  readonly busyTimeoutMs: number
  readonly flushDelayMs: number
}

/** A statement; one that has `expected` fails where its rows, as JSON, are others. */
export interface WriterStatement {
  readonly sql: string
  readonly parameters?: readonly SQLInputValue[]
  readonly expected?: string
}

/** The end of a work: it is undone where one of these fails, or where the one that is asked for gives no row. */
export interface WriterWork {
  readonly checks: readonly WriterStatement[]
  readonly asked: WriterStatement
  readonly further: readonly WriterStatement[]
}

/** Statements that run one after another; the reply is the last one's, and what each work was answered. */
export interface WriterRequest {
  readonly id: number
  readonly statements: readonly (WriterStatement | WriterWork)[]
}

export interface WriterResult {
  readonly rows?: unknown[]
  readonly changes?: number
}

/** `error` carries SQLite's extended result code (`errcode`) and its message, which never holds values. */
export interface WriterOutcome {
  readonly result?: WriterResult
  readonly error?: { readonly message: string; readonly errcode: number | undefined }
}

export interface WriterReply extends WriterOutcome {
  readonly id: number
  readonly works: readonly WriterOutcome[]
}

/** A prepared statement. Asking for its columns each time costs more than many statements. */
interface Prepared {
  readonly statement: StatementSync
  readonly givesRows: boolean
}

/** So many statements stay prepared. */
const mostPrepared = 500

/** The writing connection. */
class Writer {
  readonly #db: DatabaseSync
  readonly #flushDelayMs: number
  readonly #prepared = new Map<string, Prepared>()
  /** Why there is no transaction. */
  #lost: unknown

  constructor({ path, busyTimeoutMs, flushDelayMs }: WriterSettings) {
    this.#flushDelayMs = flushDelayMs
    this.#db = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
    this.#db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off')
    this.#db.exec('pragma secure_delete = on') // else a backup has what was erased (decision 0142)
    // An import writes all over the indexes: their pages stay at hand, and go to the file seldom (decision 0114).
    this.#db.exec('pragma cache_size = -8000; pragma wal_autocheckpoint = 4000')
  }

  /** Runs statements one after another. What fails is part of the answer. */
  answer({ id, statements }: WriterRequest): WriterReply {
    const works: WriterOutcome[] = []
    const outcome = outcomeOf(() => {
      let result: WriterResult = {}
      for (const statement of statements) {
        if ('asked' in statement) works.push(this.#end(statement))
        else result = this.#run(statement)
      }
      return result
    })
    for (const statement of statements) if ('sql' in statement) release(statement)
    return { id, works, ...outcome }
  }

  close(): void {
    this.#db.close()
  }

  #prepare(sql: string): Prepared {
    let one = this.#prepared.get(sql)
    if (one === undefined) {
      const statement = this.#db.prepare(sql)
      one = { statement, givesRows: statement.columns().length > 0 }
      if (this.#prepared.size < mostPrepared) this.#prepared.set(sql, one)
    }
    return one
  }

  #begin(): void {
    this.#lost = Object.assign(new Error('the transaction is gone'), { errcode: 4 }) // SQLITE_ABORT
    try {
      this.#prepare('begin immediate').statement.run()
    } catch (error) {
      this.#lost = error
      throw error
    }
  }

  #run({ sql, parameters = [], expected }: WriterStatement): WriterResult {
    if (sql === 'begin immediate') {
      this.#begin()
      return {}
    }
    // After some errors SQLite has rolled the whole transaction back. Later statements must not commit on their own.
    if (!this.#db.isTransaction) throw this.#lost
    if (sql === 'commit' && this.#flushDelayMs > 0) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, this.#flushDelayMs)
    }
    const { statement, givesRows } = this.#prepare(sql)
    if (givesRows) {
      const rows = statement.all(...parameters)
      if (expected !== undefined && JSON.stringify(rows) !== expected)
        throw Object.assign(new Error('what the work was told has changed'), { errcode: 517 }) // SQLITE_BUSY_SNAPSHOT
      return { rows }
    }
    return { changes: Number(statement.run(...parameters).changes) }
  }

  #end({ checks, asked, further }: WriterWork): WriterOutcome {
    const outcome = outcomeOf(() => {
      for (const check of checks) this.#run(check)
      const result = this.#run(asked)
      if (result.rows?.length) for (const statement of further) this.#run(statement)
      return result
    })
    if (outcome.error && this.#db.isTransaction) this.#run({ sql: 'rollback to work' })
    return outcome
  }
}

function outcomeOf(work: () => WriterResult): WriterOutcome {
  try {
    return { result: work() }
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    return { error: { message, errcode } }
  }
}

/** So many bytes are worth it. */
const manyBytes = 65_536

/** Gives back the memory of bytes that were written. */
function release({ parameters = [] }: WriterStatement): void {
  for (const one of parameters) if (one instanceof Uint8Array && one.byteLength >= manyBytes) freeBytes(one)
}

const writer = new Writer(workerData as WriterSettings)
const port = parentPort!
port.on('message', (request: WriterRequest | 'close') => {
  if (request !== 'close') return port.postMessage(writer.answer(request))
  writer.close()
  port.close()
})
