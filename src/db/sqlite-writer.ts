import { once } from 'node:events'
import type { SQLInputValue } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { SqliteState } from './sqlite-state.ts'
import type {
  WriterOutcome,
  WriterReply,
  WriterRequest,
  WriterResult,
  WriterSettings,
  WriterStatement,
  WriterWork,
} from './sqlite-writing-thread.ts'
import { DatabaseUnavailableError, isStaleRead, SqliteThreadError } from './violations.ts'

/** Works that may share one commit. This bounds how long the first of them waits for its answer. */
const maxWorksPerCommit = 256

/** SQLITE_IOERR_FSYNC: after it, the system may have dropped what it could not write. */
const flushFailed = 1034

interface Waiter {
  readonly resolve: (result: WriterResult) => void
  readonly reject: (error: unknown) => void
}

interface Awaited extends Waiter {
  /** Who waits for the works in the same message. */
  readonly works: readonly Waiter[]
}

/** A work's turn at the writing connection: its own savepoint in a transaction that others share. */
export class Turn {
  readonly #writer: SqliteWriter
  readonly committed = Promise.withResolvers<void>()
  readonly ended = Promise.withResolvers<void>()
  #heldBack: WriterStatement[] = []
  #stale: unknown
  /** Called where a check fails. */
  onStaleRead: () => void = () => {}
  #hasEnded = false
  #hasChanged = false
  #isUndone = false

  constructor(writer: SqliteWriter) {
    this.#writer = writer
    this.committed.promise.catch(() => {})
  }

  async execute(sql: string, parameters: readonly SQLInputValue[] = []): Promise<WriterResult> {
    for (const statement of this.#heldBack.splice(0)) this.#writer.send(statement)
    try {
      const result = await this.#writer.execute(sql, parameters)
      if (result.changes) this.#hasChanged = true
      return result
    } catch (error) {
      if (isStaleRead(error)) {
        this.#stale = error
        this.onStaleRead()
      }
      throw error
    }
  }

  /** Has what the work was told checked, before its next statement or its end. */
  check(statement: WriterStatement): void {
    this.#heldBack.push(statement)
  }

  /** Sends a statement along with the next one that is awaited, or with the end of the work. */
  holdBack(statement: WriterStatement): void {
    this.#hasChanged = true
    this.#heldBack.push(statement)
  }

  /** Ends the work with a statement that gives rows, before what was held back: see `endsWork`. */
  async finish(asked: WriterStatement): Promise<WriterResult> {
    const held = this.#heldBack.splice(0)
    const outcome = this.#writer.sendWork({
      checks: held.filter(({ expected }) => expected !== undefined),
      asked,
      further: held.filter(({ expected }) => expected === undefined),
    })
    this.#hasChanged = true
    this.#end('release work')
    try {
      return await outcome
    } catch (error) {
      if (isStaleRead(error)) this.onStaleRead()
      throw error
    }
  }

  /** Whether it can run no more statements. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Whether its commit writes to the file. */
  get writes(): boolean {
    return this.#hasChanged && !this.#isUndone
  }

  /** Resolves when the shared commit has been flushed to disk; rejects when it failed. */
  async commit(): Promise<void> {
    if (this.#heldBack.some(({ expected }) => expected !== undefined)) await this.execute('select 1')
    for (const statement of this.#heldBack.splice(0)) this.#writer.send(statement)
    if (this.#stale !== undefined) throw this.#stale
    this.#end('release work')
    await this.committed.promise
  }

  /**
   * Undoes this work alone. Waits for the shared commit too, because the work may have failed because of uncommitted
   * changes.
   */
  async rollback(): Promise<void> {
    this.#isUndone = true
    await this.#checkHeldBack()
    this.#end('rollback to work', 'release work')
    await this.committed.promise
    if (this.#stale !== undefined) throw this.#stale
  }

  /** Has what the work was told checked, though it ran no statement since: a refusal may rest on it. */
  async #checkHeldBack(): Promise<void> {
    const checks = this.#heldBack.splice(0).filter(({ expected }) => expected !== undefined)
    if (this.#hasEnded || checks.length === 0) return
    this.#heldBack.push(...checks)
    await this.execute('select 1').catch(() => {}) // `execute` notes what is stale
  }

  /** A failed commit has undone the work already, so the rollback that follows has nothing to do. */
  #end(...statements: string[]): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    for (const sql of statements) this.#writer.send({ sql })
    this.ended.resolve()
  }
}

/**
 * The one writer of a SQLite database. Works run one after another, each in a savepoint. Works that wait during
 * another work or a flush share the next commit, and each is answered after it.
 */
export class SqliteWriter {
  readonly #thread: Worker
  readonly #state: SqliteState
  readonly #replies = new Map<number, Awaited>()
  readonly #waiting: ((turn: Turn) => void)[] = []
  #outbox: (WriterStatement | WriterWork)[] = []
  #works: Waiter[] = []
  readonly #onLost: (error: Error) => void
  readonly #onReply: () => void
  #lastId = 0
  #running = false
  #closing = false
  #fault: Error | undefined

  /**
   * @param state is told of faults
   * @param onReply called before each answer of the thread is passed on: reads must see its writes from then on
   */
  constructor(
    settings: WriterSettings,
    state: SqliteState,
    onLost: (error: Error) => void,
    onReply: () => void,
  ) {
    this.#state = state
    state.tryWith(() => this.#writeLittle())
    this.#onLost = onLost
    this.#onReply = onReply
    this.#thread = new Worker(new URL('./sqlite-writing-thread.ts', import.meta.url), {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    this.#thread.on('message', (reply: WriterReply) => this.#settle(reply))
    this.#thread.on('error', (error: Error) => this.#fail(error))
    this.#thread.on('exit', () => this.#fail(new Error('the writing thread has ended')))
    this.#thread.unref()
  }

  /** Waits for this work's turn. The transaction begins with its first statement, in the same message. */
  enter(): Promise<Turn> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (!this.#running) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#waiting.length > 0) await this.#shareOneCommit()
    this.#running = false
  }

  async #shareOneCommit(): Promise<void> {
    const turns: Turn[] = []
    this.send({ sql: 'begin immediate' }) // where it fails, so do all statements that follow, and the commit
    try {
      while (this.#waiting.length > 0 && turns.length < maxWorksPerCommit) {
        const turn = new Turn(this)
        turns.push(turn)
        this.send({ sql: 'savepoint work' })
        this.#waiting.shift()!(turn)
        await turn.ended.promise
      }
      await this.execute('commit')
      if (turns.some(({ writes }) => writes)) void this.#state.noteWritten()
      for (const turn of turns) turn.committed.resolve()
    } catch (error) {
      this.#state.noteFailedCommit(error)
      for (const turn of turns) turn.committed.reject(error)
      await this.execute('rollback').catch(() => {})
    }
  }

  /** Puts a statement before the next one that is awaited: they travel together. */
  send(statement: WriterStatement): void {
    this.#outbox.push(statement)
  }

  /** Puts the end of a work before the next statement that is awaited. */
  sendWork(work: WriterWork): Promise<WriterResult> {
    this.#outbox.push(work)
    return new Promise((resolve, reject) => this.#works.push({ resolve, reject }))
  }

  /** Runs a statement in the writing thread, after those sent before it. */
  execute(sql: string, parameters: readonly SQLInputValue[] = []): Promise<WriterResult> {
    return new Promise((resolve, reject) => {
      const works = this.#works.splice(0)
      if (this.#fault) {
        for (const waiter of [...works, { reject }]) waiter.reject(this.#fault)
        return
      }
      if (this.#replies.size === 0) this.#thread.ref()
      const id = ++this.#lastId
      this.#replies.set(id, { resolve, reject, works })
      const statements = [...this.#outbox, { sql, parameters }]
      this.#outbox = []
      this.#thread.postMessage({ id, statements } satisfies WriterRequest)
    })
  }

  #settle({ id, works, ...outcome }: WriterReply): void {
    this.#onReply()
    const reply = this.#replies.get(id)
    this.#replies.delete(id)
    if (this.#replies.size === 0) this.#thread.unref()
    if (reply === undefined) return
    for (const [i, waiter] of reply.works.entries()) this.#tell(waiter, works[i] ?? outcome)
    this.#tell(reply, outcome)
  }

  #tell({ resolve, reject }: Waiter, { result = {}, error }: WriterOutcome): void {
    if (error === undefined) {
      resolve(result)
      return
    }
    const fault = new SqliteThreadError(error.message, error.errcode)
    reject(this.#state.explainWrite(fault))
    if (error.errcode === flushFailed) this.#onLost(fault)
  }

  #fail(error: Error): void {
    if (this.#fault || this.#closing) return
    this.#fault = new DatabaseUnavailableError(`the writing connection is lost: ${error.message}`)
    for (const reply of this.#replies.values())
      for (const waiter of [reply, ...reply.works]) waiter.reject(this.#fault)
    this.#replies.clear()
    this.#onLost(this.#fault)
  }

  /** Changes nothing, and yet SQLite writes the page. */
  async #writeLittle(): Promise<void> {
    const turn = await this.enter()
    await turn.execute('update schema_lock set id = 1 where id = 1').catch(() => {}) // the commit fails, too
    await turn.commit()
  }

  /** Waits until all works are committed, checkpoints by closing, and ends the thread. */
  async close(): Promise<void> {
    while (this.#running) await new Promise((resolve) => setImmediate(resolve))
    if (this.#fault) return
    this.#closing = true
    const exited = once(this.#thread, 'exit')
    this.#thread.ref()
    this.#thread.postMessage('close')
    await exited
  }
}
