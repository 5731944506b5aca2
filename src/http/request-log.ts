import type { FastifyBaseLogger } from 'fastify'

type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type Line = [about: unknown, message?: string, ...values: unknown[]]

/**
 * A request's logger: every line tells the request's id. It is made of its parent when it has something to say,
 * which few requests do: one a request would cost as much as the line of `logRequests`.
 */
class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Bindings

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent
    this.#bindings = bindings
  }

  get #own(): FastifyBaseLogger {
    return this.#parent.child(this.#bindings)
  }

  get level() {
    return this.#parent.level
  }

  child(bindings: Bindings) {
    return this.#own.child(bindings)
  }

  fatal(...line: Line) {
    this.#own.fatal(...line)
  }

  error(...line: Line) {
    this.#own.error(...line)
  }

  warn(...line: Line) {
    this.#own.warn(...line)
  }

  info(...line: Line) {
    this.#own.info(...line)
  }

  debug(...line: Line) {
    this.#own.debug(...line)
  }

  trace(...line: Line) {
    this.#own.trace(...line)
  }

  silent() {}
}

/** Fastify's factory of the loggers of requests. */
export function logOfRequest(parent: FastifyBaseLogger, bindings: Bindings): FastifyBaseLogger {
  return new RequestLog(parent, bindings)
}
