import { availableParallelism } from 'node:os'
import { Problem, unavailable } from '../problems.ts'

export interface HashingLimits {
  /** Hashes at a time: one core stays free for the readers. */
  readonly slots: number
  /** Works of one pair under way: not more than the throttle's free failures, as which they count until they end. */
  readonly maxOfPair: number
  /** Tries that wait, over all clients. */
  readonly maxWaiting: number
  /** The longest that one waits, in milliseconds. */
  readonly maxWaitMs: number
  /** The longest that one waits in a flood: all places are taken, or one line is much longer than the others. */
  readonly maxWaitInFloodMs: number
  /** How long a refusal is held back at least, in milliseconds, when the line is full. */
  readonly refusalDelayMs: number
  /** Refusals held back at a time; further ones go out at once. */
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

/** How often what clients were served of late is halved, in milliseconds. */
const halvingMs = 1_000

/** Who asks for a hash: the client whose line it waits in, and the pair of account and client that is counted. */
export interface Asker {
  readonly client: string
  readonly pair?: string
}

/** How often who waits longer than in a flood looks whether there is one by now, in milliseconds. */
const lookAgainMs = 1_000

/** Twice this after the last refusal for want of a place, or sooner, there are places again: within the wait in a flood. */
const fullMs = 900

interface Waiter {
  readonly asker: Asker
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
  readonly #lines = new Map<string, Waiter[]>()
  /** How often each client was served of late. */
  readonly #served = new Map<string, number>()
  /** How many works of each pair are under way. */
  readonly #ofPair = new Map<string, number>()
  /** Whether somebody was refused for want of a place of late, and whether anybody was since that was last looked at. */
  #isFull = false
  #hasRefused = false
  #busy = 0
  #waiting = 0
  #pendingRefusals = 0

  constructor(limits: Partial<HashingLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits }
  }

  /**
   * Runs `work` in its turn. It may free its slot once it has hashed: others hash while it goes on, and its pair is
   * counted until it ends. When it refuses an attempt that comes too soon, the refusal may be held back.
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
    // Who waits while a slot is free waits for its own pair.
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

  /** The client that was served least of late, of those who may be served now. */
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

  /** Forgets after some seconds: what is kept is no more than their hashes. */
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
