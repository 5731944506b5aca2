import type { IncomingMessage } from 'node:http'

/** How long the headers of a request may take, in milliseconds. Node holds this limit. */
export const headersLimitMs = 5_000

/** How long a body may take after its headers, in milliseconds. */
const bodyLimitMs = 10_000

const lookEveryMs = 1_000

interface Awaited {
  due: number
  readonly cut: () => void
}

/**
 * Cuts requests whose bodies take too long. Node has one limit for all requests of a server; here each that waits for
 * its body has its own, and those whose body is there cost nothing.
 */
export class Deadlines {
  readonly #awaited = new Map<IncomingMessage, Awaited>()
  #timer: NodeJS.Timeout | undefined

  /** Watches a request whose body is still to come. @param cut ends it where that is too late */
  watch(request: IncomingMessage, cut: () => void): void {
    this.#awaited.set(request, { due: performance.now() + bodyLimitMs, cut })
    this.#timer ??= setInterval(() => this.#look(), lookEveryMs).unref()
  }

  /** Gives the rest of a body so long from now on, in milliseconds. */
  allow(request: IncomingMessage, ms: number): void {
    const awaited = this.#awaited.get(request)
    if (awaited !== undefined) awaited.due = performance.now() + ms
  }

  #look(): void {
    const now = performance.now()
    for (const [request, { due, cut }] of this.#awaited) {
      const isAwaited = !request.complete && !request.socket.destroyed
      if (isAwaited && now < due) continue
      this.#awaited.delete(request)
      if (isAwaited) cut()
    }
    if (this.#awaited.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
