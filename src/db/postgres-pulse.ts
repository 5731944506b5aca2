import pg from 'pg'
import { DatabaseUnavailableError } from './violations.ts'

/** How often the statements under way are looked at, and how old one may be before the database is asked. */
const lookEveryMs = 250
const suspiciousAfterMs = 750
const probeTimeoutMs = 500

/**
 * Notices a database that has fallen silent (frozen, or behind a network that drops packets), where a plain
 * stop would show itself: when a statement takes long, a connection of its own asks for an answer. While
 * there is none, nothing waits for the database, and it is asked again until it answers.
 */
export class PostgresPulse {
  readonly #url: string
  readonly #onSilence: () => void
  readonly #timer: NodeJS.Timeout
  readonly #underWay = new Map<number, number>()
  #lastBeat = 0
  #isAway = false
  #isProbing = false

  constructor(url: string, onSilence: () => void) {
    this.#url = url
    this.#onSilence = onSilence
    this.#timer = setInterval(() => this.#look(), lookEveryMs)
    this.#timer.unref()
  }

  /** @throws DatabaseUnavailableError while the database is silent */
  check(): void {
    if (this.#isAway) throw new DatabaseUnavailableError('the database is silent')
  }

  begin(): number {
    this.#underWay.set(++this.#lastBeat, performance.now())
    return this.#lastBeat
  }

  end(beat: number): void {
    this.#underWay.delete(beat)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const [oldest] = this.#underWay.values() // statements end in any order, but the first left began first
    const isSuspicious = oldest !== undefined && performance.now() - oldest > suspiciousAfterMs
    if (!this.#isProbing && (isSuspicious || this.#isAway)) void this.#probe()
  }

  async #probe(): Promise<void> {
    this.#isProbing = true
    const wasAway = this.#isAway
    this.#isAway = !(await answers(this.#url))
    this.#isProbing = false
    if (this.#isAway && !wasAway) this.#onSilence()
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
    application_name: 'registrar-pulse',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    client.end().catch(() => {})
  }
}
