import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, instantAfter } from '../access/clock.ts'
import type { Db } from '../db/tables.ts'
import { databaseFaultOf } from '../db/violations.ts'
import { write } from '../events/write.ts'
import { ExplainedError } from '../problems.ts'
import type { StudentLists } from '../students/lists/lists.ts'
import { eraseDue } from './erasing.ts'
import { FailingSteps } from './failing-steps.ts'
import { findFree, LeaseLostError, leaseMs, releaseLease, type Taken, takeLease } from './leases.ts'
import { type Failure, isAtWork } from './model.ts'
import { findImport } from './queries.ts'
import { failUpload } from './staging.ts'
import { moveTo } from './states.ts'
import type { Steps } from './steps.ts'
import { workOn } from './work.ts'

/** How many imports are at work at once, on each instance. */
const atOnce = 2

/** How often an instance looks for imports that another has left, in milliseconds. */
export const lookEveryMs = 10_000

/** How often it is looked whether another instance is done with an import that is waited for, in milliseconds. */
const waitMs = 100

/** How often a file is taken on: one that ends the process each time must not end it for ever. */
const mostTries = 10

export interface JobParts {
  readonly db: Db
  readonly clock: Clock
  readonly lists: StudentLists
  readonly log: Pick<FastifyBaseLogger, 'error' | 'warn'>
  readonly steps: Steps
}

/** Has the steps of imports done by this instance, each import by one instance at a time. */
export class ImportJobs {
  /** What this instance calls itself. */
  readonly holder = randomUUID()
  readonly #parts: JobParts
  readonly #running = new Map<number, Promise<void>>()
  /** Uploads that were cut, and are not ended yet. */
  readonly #cut = new Set<number>()
  readonly #stop = new AbortController()
  readonly #failing: FailingSteps
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #lookAgain = false

  constructor(parts: JobParts) {
    this.#parts = parts
    this.#failing = new FailingSteps(parts.log, parts.clock)
  }

  /** Looks at once, and then every few seconds, for imports that another instance has left. */
  start(): void {
    this.#timer = setInterval(() => this.look(), lookEveryMs).unref()
    this.look()
  }

  /** Looks for imports that wait for a step. Call it when one does. */
  look(): void {
    if (this.#stop.signal.aborted) return
    this.#lookAgain = true
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined
      if (this.#lookAgain) this.look()
    })
  }

  /** Ends an upload at the next look at which the database lets it. */
  endLater(id: number): void {
    this.#cut.add(id)
  }

  /** Ends the steps after their slices, and leaves them to other instances. */
  async stop(): Promise<void> {
    this.#stop.abort(new LeaseLostError('the app stops'))
    clearInterval(this.#timer)
    await this.#looking
    await Promise.all(this.#running.values())
    this.#failing.stopped()
  }

  /**
   * Does what one import waits for, and no other; where another instance has it, waits for that.
   * @returns where a step is left, if this is stopped meanwhile
   * @throws ExplainedError where its step fails again and again; what the database throws as the import is taken on
   */
  async finish(id: number): Promise<void> {
    for (let failures = 0; !this.#stop.signal.aborted; ) {
      const hasEnded = await this.#run(id)
      if (this.#failing.has(id) && ++failures === mostTries)
        throw new ExplainedError(
          `Import ${id} can't be ended here; what is said above tells why. A server tries it again.`,
        )
      const imported = await findImport(this.#parts.db, id)
      if (imported === undefined || !isAtWork(imported.state)) return
      if (!hasEnded) await pause(waitMs)
    }
  }

  /** Waits until no import is at work here. */
  async idle(): Promise<void> {
    while (this.#looking !== undefined || this.#running.size > 0)
      await Promise.all([this.#looking, ...this.#running.values()])
  }

  async #lookNow(): Promise<void> {
    const { db, clock, log } = this.#parts
    try {
      while (this.#lookAgain && !this.#stop.signal.aborted) {
        this.#lookAgain = false
        await this.#noteEnded()
        for (const id of this.#cut)
          await write(db, {}, (tx) => failUpload(tx, id, clock().toISOString())).then(
            () => this.#cut.delete(id),
            () => {}, // at the next look
          )
        if (this.#running.size >= atOnce) return // who ends well looks again, else the timer
        const free = await findFree(db, clock().toISOString())
        // Those that failed come last: they are free again at once, and would keep the others out.
        for (const id of free.sort((a, b) => Number(this.#failing.has(a)) - Number(this.#failing.has(b)))) {
          if (this.#running.has(id) || this.#running.size >= atOnce) continue
          this.#running.set(id, this.#runAside(id))
        }
      }
    } catch (error) {
      if (databaseFaultOf(error) === undefined)
        log.error({ fault: faultOf(error) }, 'looking for imports failed')
    }
  }

  /** Another instance may have ended what failed here. */
  async #noteEnded(): Promise<void> {
    for (const id of this.#failing.ids()) {
      const imported = await findImport(this.#parts.db, id)
      if (imported === undefined || !isAtWork(imported.state)) this.#failing.ended(id)
    }
  }

  /** Runs a step beside others: what fails is told, and tried again at a later look. */
  async #runAside(id: number): Promise<void> {
    let hasEnded = false
    try {
      const isDone = await this.#run(id)
      if (isDone) await this.#afterEnd(id)
      hasEnded = isDone
    } catch (error) {
      const fault = databaseFaultOf(error)
      this.#failing.failed(
        id,
        fault === undefined
          ? { level: 'error', fault: faultOf(error), message: 'an import failed' }
          : { level: 'warn', fault, message: 'a step of an import is tried again' },
      )
    }
    this.#running.delete(id)
    if (hasEnded) this.look()
  }

  /** Does the step that an import waits for. @returns whether it did, so that another may wait */
  async #run(id: number): Promise<boolean> {
    const { db, clock, log } = this.#parts
    const now = clock()
    const times = { now: now.toISOString(), until: instantAfter(now, leaseMs) }
    const taken = await write(db, {}, (tx) => takeLease(tx, id, this.holder, times))
    if (taken === undefined) return false
    if (!taken.isWhole) {
      await write(db, {}, (tx) => failUpload(tx, id, times.now))
      return true
    }
    if (taken.state === 'reading' && taken.tries > mostTries) {
      log.error({ import: id, tries: mostTries }, 'an import was given up: reading it never came to an end')
      await this.#fail(taken, 'import_given_up', `It was tried ${mostTries} times, and never came to an end.`)
      return true
    }
    const ended = await this.#step(taken)
    await write(db, {}, (tx) => releaseLease(tx, taken, !ended))
    if (ended) this.#failing.ended(id)
    return ended
  }

  /** @returns whether the step has ended, or is to go on elsewhere or later */
  async #step(taken: Taken): Promise<boolean> {
    const { db, log, steps } = this.#parts
    await using work = workOn({ ...this.#parts, taken, stop: this.#stop.signal })
    try {
      const imported = await findImport(db, taken.id)
      if (imported?.state === taken.state) await steps[taken.state](imported, work)
      return true
    } catch (error) {
      if (work.signal.aborted || error instanceof LeaseLostError) return false
      if (databaseFaultOf(error) !== undefined) throw error // it is taken on anew when the lease has run out
      const message = 'a step of an import failed'
      if (taken.state === 'undoing') {
        this.#failing.failed(taken.id, { level: 'error', fault: faultOf(error), message })
        return false // a part of it must not stay: it is tried again at the next look
      }
      log.error({ import: taken.id, state: taken.state, fault: faultOf(error) }, message)
      await this.#fail(taken, 'internal_error', 'Something went wrong on the server; its log tells more.')
      return true
    }
  }

  /**
   * Erases a file that was refused. Who runs the server is told where an import took itself back: nobody may look at its
   * screen, as after a crash.
   */
  async #afterEnd(id: number): Promise<void> {
    const { db, clock, log } = this.#parts
    const after = await findImport(db, id)
    if (after?.state === 'refused') while (await write(db, {}, (tx) => eraseDue(tx, id, clock())));
    if (after?.state !== 'undoing' || after.failure === null) return
    const { code, params } = after.failure
    log.warn({ import: id, code, reason: params?.reason }, 'an import could not go on, and is taken back')
  }

  /** Ends an import whose step can't be done. What was applied of it is undone first. */
  async #fail({ id, state }: Taken, code: Failure['code'], detail: string): Promise<void> {
    const { db, clock } = this.#parts
    const to = state === 'applying' ? 'undoing' : 'failed'
    await write(db, {}, (tx) =>
      moveTo(tx, id, [state], to, clock().toISOString(), { failure: { code, detail } }),
    )
  }
}

/** What the log tells of an error: no values. */
function faultOf(error: unknown): object {
  const { name, message, stack } = error as Error
  return { type: name, message, stack }
}
