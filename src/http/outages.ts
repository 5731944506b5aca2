import type { FastifyInstance } from 'fastify'
import { sqlState } from '../db/violations.ts'

/** How long no request has failed when an outage counts as over, and how often that is looked at. */
const quietMs = 5_000
const lookEveryMs = 500

/**
 * Tells the log of outages of the database: a line at the beginning of each and one at its end, however many requests
 * it costs.
 */
export class Outages {
  readonly #log: FastifyInstance['log']
  readonly #now: () => number
  readonly #check: () => Promise<void>
  /** `failed`: when a request failed last; `away`: when one or a check did. */
  #outage: { readonly began: number; failed: number; away: number; requests: number } | undefined
  #timer: NodeJS.Timeout | undefined

  /** @param check asks the database for an answer, and throws while there is none */
  constructor(app: FastifyInstance, now: () => Date, check: () => Promise<void>) {
    this.#log = app.log
    this.#now = () => now().getTime()
    this.#check = check
    app.addHook('onClose', async () => this.#end('stopped while the database was unavailable'))
  }

  /** Notes a request that is 503 for this reason. */
  note(cause: unknown): void {
    const now = this.#now()
    if (this.#outage === undefined) {
      this.#outage = { began: now, failed: now, away: now, requests: 0 }
      this.#log.error({ fault: faultOf(cause) }, 'the database is unavailable')
      this.#lookLater()
    }
    this.#outage.failed = this.#outage.away = now
    this.#outage.requests++
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => void this.#look(), lookEveryMs)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    const answers = await this.#check().then(
      () => true,
      () => false,
    )
    if (this.#outage === undefined) return
    const now = this.#now()
    if (!answers) this.#outage.away = now
    if (answers && now - this.#outage.failed >= quietMs) this.#end('the database is available again')
    else this.#lookLater()
  }

  #end(message: string): void {
    clearTimeout(this.#timer)
    if (this.#outage === undefined) return
    const { began, away, requests } = this.#outage
    this.#outage = undefined
    this.#log.warn({ requests, seconds: (away - began) / 1000 }, message)
  }
}

/** What the log tells of a fault: no values. The code is PostgreSQL's SQLSTATE. */
function faultOf(cause: unknown): object | undefined {
  if (!(cause instanceof Error)) return undefined
  const code = sqlState(cause)
  return { type: cause.name, message: cause.message, ...(code !== undefined && { code }) }
}
