import type { FastifyInstance } from 'fastify'
import type { Db, Instant } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { updateLastUsed } from './sessions.ts'
import type { VerifiedToken } from './tokens.ts'

const minuteMs = 60_000

/** How many are written at a time. */
export const sessionsAtATime = 512

interface Use {
  readonly key: Uint8Array
  readonly minute: number
}

/**
 * When sessions were last used, to the minute: noted in memory, and written every minute, off the path of
 * requests. A process that is killed loses its last minute.
 */
export class SessionUses {
  readonly #db: Db
  readonly #noted = new Map<string, Use>()
  #flushed = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  /** Notes that a token's session is used, and on the token that it is noted: once a minute is enough. */
  note(token: VerifiedToken, minute: number): void {
    token.notedMinute = minute
    const name = nameOf(token.sessionKey)
    const before = this.#noted.get(name)
    if (before === undefined || before.minute < minute)
      this.#noted.set(name, { key: token.sessionKey, minute })
  }

  /** How many sessions are noted, and not written yet. */
  get size(): number {
    return this.#noted.size
  }

  /** What is noted of a session and not written yet. */
  notedOf(key: Uint8Array): Instant | undefined {
    const use = this.#noted.get(nameOf(key))
    return use && instantOf(use.minute)
  }

  /** Writes what is noted. What could not be written stays noted. @throws what the database does */
  flush(): Promise<void> {
    const flushing = this.#flushed.then(() => this.#writeNoted())
    this.#flushed = flushing.catch(() => {})
    return flushing
  }

  /** In portions, so that other writes need not wait long. */
  async #writeNoted(): Promise<void> {
    const byMinute = Map.groupBy(this.#noted, ([, { minute }]) => minute)
    for (const [minute, uses] of byMinute) {
      for (let i = 0; i < uses.length; i += sessionsAtATime) {
        const portion = uses.slice(i, i + sessionsAtATime)
        const keys = portion.map(([, { key }]) => key)
        await write(this.#db, { command: 'serve' }, (db) => updateLastUsed(db, keys, instantOf(minute)))
        for (const [name, use] of portion) if (this.#noted.get(name) === use) this.#noted.delete(name)
      }
    }
  }
}

/** Writes what is noted every minute, and what is left when the app closes. */
export function writeEveryMinute(app: FastifyInstance, uses: SessionUses): void {
  const flush = () =>
    uses.flush().catch((error: unknown) => {
      app.log.warn({ fault: (error as Error).message }, 'when sessions were last used could not be written')
    })
  let timer: NodeJS.Timeout | undefined
  app.addHook('onReady', async () => {
    timer = setInterval(flush, minuteMs)
    timer.unref()
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await flush()
  })
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key).toString('base64url')
}

function instantOf(minute: number): Instant {
  return new Date(minute * minuteMs).toISOString()
}
