import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { hasEnded, InTurn } from './in-turn.ts'

/** How many requests make a batch, and how many of them may be of connections on which others wait. */
const batchSize = 64
const pipelinedPerBatch = 16

/** How long requests wait at the most while connections are let in, in milliseconds. */
const acceptMs = 20

type Pair = [request: IncomingMessage, response: ServerResponse]

/**
 * Handles the requests of one event-loop poll as a batch: a batch that goes from stage to stage (stages.ts) takes a
 * third less time than its requests one by one, and has one snapshot of SQLite. A request that comes alone waits for
 * nothing. One whose connection has ended meanwhile is not handled.
 *
 * Clients that send many requests at once do not hold up the rest: few requests in a batch are of connections on which
 * others wait. Nor do long batches hold up new clients: Node lets one connection in at each poll, so while there are
 * some, polls follow each other without a batch.
 */
export class Batches {
  readonly #handler: RequestListener
  readonly #beforeBatch: () => void
  readonly #inTurn = new InTurn()
  readonly #pipelined: Pair[] = []
  #single: Pair[] = []
  #plannedAt: number | undefined
  #hasLetIn = false

  constructor(handler: RequestListener, beforeBatch: () => void) {
    this.#handler = handler
    this.#beforeBatch = beforeBatch
  }

  /** Call for each request, when Node emits it. */
  add(request: IncomingMessage, response: ServerResponse): void {
    this.#inTurn.queue(request, response, (hasWaited) => {
      const queue = hasWaited ? this.#pipelined : this.#single
      queue.push([request, response])
      this.#plan()
    })
  }

  /** Call for each connection. */
  noteConnection(): void {
    this.#hasLetIn = true
  }

  #plan(): void {
    if (this.#plannedAt !== undefined) return
    this.#plannedAt = performance.now()
    setImmediate(() => this.#handleBatch())
  }

  #handleBatch(): void {
    if (this.#hasLetIn && performance.now() - this.#plannedAt! < acceptMs) {
      this.#hasLetIn = false
      setImmediate(() => this.#handleBatch())
      return
    }
    this.#plannedAt = undefined
    if (this.#inTurn.allWaiting > 0) this.#sortOut()
    this.#beforeBatch()
    const pipelined = this.#pipelined.splice(0, pipelinedPerBatch)
    const batch = [...this.#single.splice(0, batchSize - pipelined.length), ...pipelined]
    for (const [request, response] of batch) if (!hasEnded(request.socket)) this.#handler(request, response)
    if (this.#single.length > 0 || this.#pipelined.length > 0) this.#plan()
  }

  /** Puts the requests on which others wait with those that had to wait. */
  #sortOut(): void {
    const isWaitedOn = ([{ socket }]: Pair) => this.#inTurn.isWaitedOn(socket)
    this.#pipelined.push(...this.#single.filter(isWaitedOn))
    this.#single = this.#single.filter((pair) => !isWaitedOn(pair))
  }
}
