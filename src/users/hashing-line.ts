import { availableParallelism } from 'node:os'
import { Problem, unavailable } from '../problems.ts'

export interface HashingLimits {
  /** Hashes at a time: one core stays free for reads. */
  readonly slots: number
  /**
   * Works of one pair in progress: at most the throttle's free failures, because each counts as a failure until it
   * ends.
   */
  readonly maxOfPair: number
  /** Attempts that wait, of all clients. */
  readonly maxWaiting: number
  /** The longest that one waits, in milliseconds. */
  readonly maxWaitMs: number
  /** The longest wait in a flood, when all places are taken or one line is much longer than the others. */
  readonly maxWaitInFloodMs: number
  /** How long a refusal is held back at least when the line is full, in milliseconds. */
  readonly refusalDelayMs: number
  /** Refusals held back at a time. Further ones are sent at once. */
  readonly maxPendingRefusals: number
}

const defaultLimits: HashingLimits = {
  slots: Math.max(1, availableParallelism() - 1),
  maxOfPair: 10,
  maxWaiting: 256,
  maxWaitMs: 10_000,
  maxWaitInFloodMs: 2_000,
  refusalDelayMs: 1_000,
  maxPendingRefusals: 5_000,
}

/** How often the recent use of each client is halved, in milliseconds. */
const halvingMs = 1_000

/** Who asks for a hash: the client (for its line), and the pair of account and client (for its count). */
export interface Asker {
  readonly client: string
  readonly pair?: string
}

/** How often a long wait checks whether there is a flood by now, in milliseconds. */
const lookAgainMs = 1_000

/** How often the line checks whether it is still full, in milliseconds. Twice this is less than the wait in a flood. */
const fullMs = 900

interface Waiter {
  readonly asker: Asker
  readonly proceed: () => void
  readonly refuse: (delayMs: number) => void
}

/**
 * The line in which password hashes wait, one for each client. The client that was served least recently comes first.
 * So a flood from one client waits behind itself, and thirty people behind one address wait briefly.
 */
export class HashingLine {
  readonly #limits: HashingLimits
  readonly #lines = new Map<string, Waiter[]>()
  /** How often each client was served recently. */
  readonly #served = new Map<string, number>()
  /** How many works of each pair are in progress. */
  readonly #ofPair = new Map<string, number>()
  /** Whether somebody was refused recently for want of a place, and whether anybody was since the last check. */
  #isFull = false
  #hasRefused = false
  #busy = 0
  #waiting = 0
  #pendingRefusals = 0

  constructor(limits: Partial<HashingLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits }
  }

  /**
   * Runs `work` in its turn. `work` may free its slot once it has hashed: others then hash while it goes on, and its
   * pair stays counted until it ends. If it refuses an attempt that comes too soon, the refusal may be held back.
   * @throws Problem overloaded, when the line is full or the wait was too long
   */
  async run<Result>(asker: Asker, work: (freeSlot: () => void) => Promise<Result>): Promise<Result> {
    try {
      return await this.#runInSlot(asker, work)
    } catch (error) {
      if (error instanceof Problem && error.code === 'too_many_attempts') await this.#holdBack(0)
      throw error
    }
  }

  async #runInSlot<Result>(asker: Asker, work: (freeSlot: () => void) => Promise<Result>): Promise<Result> {
    // A work that waits while a slot is free waits for its own pair.
    if (this.#busy < this.#limits.slots && this.#hasRoom(asker.pair)) this.#take(asker)
    else await this.#wait(asker)
    let holdsSlot = true
    const freeSlot = () => {
      if (holdsSlot) this.#busy--
      holdsSlot = false
      this.#serve()
    }
    try {
      return await work(freeSlot)
    } finally {
      this.#leavePair(asker.pair)
      freeSlot()
    }
  }

  #take({ client, pair }: Asker): void {
    this.#busy++
    if (pair !== undefined) this.#ofPair.set(pair, (this.#ofPair.get(pair) ?? 0) + 1)
    this.#countServed(client)
  }

  #hasRoom(pair: string | undefined): boolean {
    return pair === undefined || (this.#ofPair.get(pair) ?? 0) < this.#limits.maxOfPair
  }

  #leavePair(pair: string | undefined): void {
    if (pair === undefined) return
    const left = this.#ofPair.get(pair)! - 1
    if (left > 0) this.#ofPair.set(pair, left)
    else this.#ofPair.delete(pair)
  }

  #wait(asker: Asker): Promise<void> {
    const { client } = asker
    const { maxWaiting, maxWaitMs, maxWaitInFloodMs } = this.#limits
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#remove(client, waiter)
        waiter.refuse(0)
      }
      const look = (waitedMs: number) => {
        if (waitedMs >= maxWaitMs || this.#isFlood(client)) return giveUp()
        timer = setTimeout(look, lookAgainMs, waitedMs + lookAgainMs)
      }
      let timer = setTimeout(look, maxWaitInFloodMs, maxWaitInFloodMs)
      const waiter: Waiter = {
        asker,
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
      if (this.#waiting > maxWaiting) this.#refuseNewestOfLongest()
    })
  }

  /** Whether all places are taken, or a client's line takes more than half of them while others wait too. */
  #isFlood(client: string): boolean {
    if (this.#isFull) return true
    return this.#lines.size > 1 && this.#lines.get(client)!.length > this.#limits.maxWaiting / 2
  }

  #lookWhetherFull(): void {
    this.#isFull = this.#hasRefused
    this.#hasRefused = false
    if (this.#isFull) setTimeout(() => this.#lookWhetherFull(), fullMs).unref()
  }

  #serve(): void {
    while (this.#busy < this.#limits.slots) {
      const client = this.#leastServed()
      if (client === undefined) return
      const line = this.#lines.get(client)!
      const waiter = line.find(({ asker }) => this.#hasRoom(asker.pair))!
      this.#remove(client, waiter)
      // A line that was served goes to the end.
      if (this.#lines.delete(client)) this.#lines.set(client, line)
      this.#take(waiter.asker)
      waiter.proceed()
    }
  }

  /** The client that was served least recently, of those that may be served now. */
  #leastServed(): string | undefined {
    let least: string | undefined
    let leastServed = Number.POSITIVE_INFINITY
    for (const [client, line] of this.#lines) {
      const served = this.#served.get(client) ?? 0
      if (served < leastServed && line.some(({ asker }) => this.#hasRoom(asker.pair)))
        [least, leastServed] = [client, served]
    }
    return least
  }

  #countServed(client: string): void {
    if (this.#served.size === 0) setTimeout(() => this.#halveServed(), halvingMs).unref()
    this.#served.set(client, (this.#served.get(client) ?? 0) + 1)
  }

  /** Forgets after some seconds, so the map holds no more than recent clients. */
  #halveServed(): void {
    for (const [client, served] of this.#served) {
      if (served > 1 / 64) this.#served.set(client, served / 2)
      else this.#served.delete(client)
    }
    if (this.#served.size > 0) setTimeout(() => this.#halveServed(), halvingMs).unref()
  }

  #refuseNewestOfLongest(): void {
    this.#hasRefused = true
    if (!this.#isFull) this.#lookWhetherFull()
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
   * Holds a refusal back, a millisecond longer for each one that is held already. In a flood that repeats at once,
   * the refusals are then sent one by one. All at one moment, they would starve the event loop.
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
