import { availableParallelism } from 'node:os'
import { Problem, unavailable } from '../problems.ts'

export interface HashingLimits {
  /**
   * Hashes at a time: one core stays free for the readers. Not more than the throttle's free failures, as
   * which attempts count while they are under way.
   */
  readonly slots: number
  /** Tries that wait, over all clients. */
  readonly maxWaiting: number
  /** The longest that one waits, in milliseconds. */
  readonly maxWaitMs: number
  /** How long a refusal is held back at least, in milliseconds, when the line is full. */
  readonly refusalDelayMs: number
  /** Refusals held back at a time; further ones go out at once. */
  readonly maxPendingRefusals: number
}

const defaultLimits: HashingLimits = {
  slots: Math.min(10, Math.max(1, availableParallelism() - 1)),
  maxWaiting: 256,
  maxWaitMs: 2_000,
  refusalDelayMs: 1_000,
  maxPendingRefusals: 5_000,
}

/** How often what clients were served of late is halved, in milliseconds. */
const halvingMs = 1_000

interface Waiter {
  readonly proceed: () => void
  readonly refuse: (delayMs: number) => void
}

/**
 * Where password hashes wait: one line for each client. The client that was served least of late comes first,
 * and those alike in turn, so that a flood from one client is one long line, and thirty people behind one
 * address are thirty short waits.
 */
export class HashingLine {
  readonly #limits: HashingLimits
  /** A line that was served goes to the end. */
  readonly #lines = new Map<string, Waiter[]>()
  /** How often each client was served of late. */
  readonly #served = new Map<string, number>()
  #busy = 0
  #waiting = 0
  #pendingRefusals = 0

  constructor(limits: Partial<HashingLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits }
  }

  /**
   * Runs `work` in its turn. When it refuses an attempt that comes too soon, the refusal may be held back.
   * @throws Problem overloaded, when the line is full or the wait was too long
   */
  async run<Result>(client: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#runInSlot(client, work)
    } catch (error) {
      if (error instanceof Problem && error.code === 'too_many_attempts') await this.#holdBack(0)
      throw error
    }
  }

  async #runInSlot<Result>(client: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#busy < this.#limits.slots) this.#busy++
    else await this.#wait(client)
    this.#countServed(client)
    try {
      return await work()
    } finally {
      this.#serveNext()
    }
  }

  #wait(client: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#remove(client, waiter)
        waiter.refuse(0)
      }, this.#limits.maxWaitMs)
      const waiter: Waiter = {
        proceed: () => {
          clearTimeout(timer)
          resolve()
        },
        refuse: (delayMs) => {
          clearTimeout(timer)
          if (delayMs === 0) reject(overloaded())
          else this.#holdBack(delayMs).then(() => reject(overloaded()))
        },
      }
      const line = this.#lines.get(client)
      if (line) line.push(waiter)
      else this.#lines.set(client, [waiter])
      this.#waiting++
      if (this.#waiting > this.#limits.maxWaiting) this.#refuseNewestOfLongest()
    })
  }

  #serveNext(): void {
    const client = this.#leastServed()
    if (client === undefined) {
      this.#busy--
      return
    }
    const line = this.#lines.get(client)!
    const waiter = line.shift()!
    this.#waiting--
    this.#lines.delete(client)
    if (line.length > 0) this.#lines.set(client, line)
    waiter.proceed()
  }

  #leastServed(): string | undefined {
    let least: string | undefined
    let leastServed = Number.POSITIVE_INFINITY
    for (const client of this.#lines.keys()) {
      const served = this.#served.get(client) ?? 0
      if (served < leastServed) [least, leastServed] = [client, served]
    }
    return least
  }

  #countServed(client: string): void {
    if (this.#served.size === 0) setTimeout(() => this.#halveServed(), halvingMs).unref()
    this.#served.set(client, (this.#served.get(client) ?? 0) + 1)
  }

  /** Forgets after some seconds: what is kept is no more than their hashes. */
  #halveServed(): void {
    for (const [client, served] of this.#served) {
      if (served > 1 / 64) this.#served.set(client, served / 2)
      else this.#served.delete(client)
    }
    if (this.#served.size > 0) setTimeout(() => this.#halveServed(), halvingMs).unref()
  }

  #refuseNewestOfLongest(): void {
    let longest: [string, Waiter[]] = ['', []]
    for (const entry of this.#lines) if (entry[1].length > longest[1].length) longest = entry
    const [client, line] = longest
    const newest = line.at(-1)!
    this.#remove(client, newest)
    newest.refuse(this.#limits.refusalDelayMs)
  }

  #remove(client: string, waiter: Waiter): void {
    const line = this.#lines.get(client)!
    line.splice(line.lastIndexOf(waiter), 1)
    if (line.length === 0) this.#lines.delete(client)
    this.#waiting--
  }

  /**
   * Holds a refusal back, for a millisecond longer with each that is held already: those of a flood that asks
   * again at once go out one by one. At once, or all at one moment, they would starve the event loop.
   */
  async #holdBack(delayMs: number): Promise<void> {
    const heldMs = delayMs + this.#pendingRefusals
    if (this.#pendingRefusals >= this.#limits.maxPendingRefusals) return
    this.#pendingRefusals++
    await new Promise<void>((resolve) => setTimeout(resolve, heldMs))
    this.#pendingRefusals--
  }
}

function overloaded(): Problem {
  return unavailable('overloaded', 'Too many people are logging in just now; try again shortly.')
}
