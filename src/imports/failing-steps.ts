import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../access/clock.ts'

type Log = Pick<FastifyBaseLogger, 'error' | 'warn'>

/** What a log says of a step that fails. */
interface StepFault {
  readonly level: keyof Log
  readonly fault: unknown
  readonly message: string
}

interface Failing {
  readonly began: number
  last: number
  failures: number
}

/**
 * Tells the log of steps that fail and are tried again: a line at the first failure of each import, and one at its end,
 * however often it is tried.
 */
export class FailingSteps {
  readonly #log: Log
  readonly #now: () => number
  readonly #failing = new Map<number, Failing>()

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#now = () => clock().getTime()
  }

  failed(id: number, { level, fault, message }: StepFault): void {
    const now = this.#now()
    const failing = this.#failing.get(id) ?? { began: now, last: now, failures: 0 }
    this.#failing.set(id, failing)
    failing.last = now
    failing.failures++
    if (failing.failures === 1) this.#log[level]({ import: id, fault }, message)
  }

  /** The imports of which the last try failed here. */
  ids(): number[] {
    return [...this.#failing.keys()]
  }

  /** Whether the last try failed here. */
  has(id: number): boolean {
    return this.#failing.has(id)
  }

  /** The step is done. */
  ended(id: number): void {
    this.#end(id, 'a step of an import goes on again')
  }

  /** The app stops. */
  stopped(): void {
    for (const id of this.#failing.keys()) this.#end(id, 'stopped while a step of an import failed')
  }

  #end(id: number, message: string): void {
    const failing = this.#failing.get(id)
    if (failing === undefined) return
    this.#failing.delete(id)
    const { began, last, failures } = failing
    this.#log.warn({ import: id, failures, seconds: (last - began) / 1000 }, message)
  }
}
