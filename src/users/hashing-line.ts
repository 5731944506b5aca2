import { availableParallelism } from 'node:os'
import { unavailable } from '../problems.ts'

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
  /** How long a refusal is held back, in milliseconds: instant ones to clients that retry at once starve the loop. */
  readonly refusalDelayMs: number
  /** Refusals held back at a time; further ones go out at once. */
  readonly maxPendingRefusals: number
}

const defaultLimits: HashingLimits = {
  slots: Math.min(10, Math.max(1, availableParallelism() - 1)),
  maxWaiting: 256,
  maxWaitMs: 2_000,
  refusalDelayMs: 1_000,
  maxPendingRefusals: 1_000,
}

interface Waiter {
  readonly proceed: () => void
  readonly refuse: (delayMs: number) => void
}

/**
 * Where password hashes wait: one line for each client, the lines served in turn, so that a flood from one
 * client is one long line, and thirty people behind one address are thirty short waits.
 */
export class HashingLine {
  readonly #limits: HashingLimits
  /** In the order in which they are served; a line that was served goes to the end. */
  readonly #lines = new Map<string, Waiter[]>()
  #busy = 0
  #waiting = 0
  #pendingRefusals = 0

  constructor(limits: Partial<HashingLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits }
  }

  /**
   * Runs `work` in its turn.
   * @throws Problem overloaded, when the line is full or the wait was too long
   */
  async run<Result>(client: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#busy < this.#limits.slots) this.#busy++
    else await this.#wait(client)
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
          this.#refuseLater(reject, delayMs)
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
    const [first] = this.#lines
    if (first === undefined) {
      this.#busy--
      return
    }
    const [client, line] = first
    const waiter = line.shift()!
    this.#waiting--
    this.#lines.delete(client)
    if (line.length > 0) this.#lines.set(client, line)
    waiter.proceed()
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

  #refuseLater(reject: (error: unknown) => void, delayMs: number): void {
    const problem = unavailable('overloaded', 'Too many people are logging in just now; try again shortly.')
    if (delayMs === 0 || this.#pendingRefusals >= this.#limits.maxPendingRefusals) {
      reject(problem)
      return
    }
    this.#pendingRefusals++
    setTimeout(() => {
      this.#pendingRefusals--
      reject(problem)
    }, delayMs)
  }
}
