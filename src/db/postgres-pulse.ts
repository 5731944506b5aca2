import { LoginClient } from './postgres-login.ts'
import { DatabaseUnavailableError, isAnswer } from './violations.ts'

/** How often statements in progress are checked, and how old one may be before the database is asked. */
const lookEveryMs = 250
const suspiciousAfterMs = 750
const probeTimeoutMs = 500
/** The age at which a read is ended here: the database's own limit of 5 s comes first. */
const readLimitMs = 5_500

interface Beat {
  readonly began: number
  /** What ends the statement, once. */
  onLate: (() => void) | undefined
}

/**
 * Notices a database that has fallen silent: frozen, or behind a network that drops packets. When a statement takes
 * long, a connection of its own asks for an answer. While none comes, nothing waits for the database, and it is asked
 * again. Statements that take too long are reported, because the database may have no limit.
 */
export class PostgresPulse {
  readonly #url: string
  readonly #onSilence: () => void
  readonly #timer: NodeJS.Timeout
  readonly #underWay = new Map<number, Beat>()
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

  /** @param onLate called once when the statement takes longer than it may */
  begin(onLate?: () => void): number {
    this.#underWay.set(++this.#lastBeat, { began: performance.now(), onLate })
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
    const isSuspicious = oldest !== undefined && performance.now() - oldest.began > suspiciousAfterMs
    if (!this.#isProbing && (isSuspicious || this.#isAway)) void this.#probe()
    if (isSuspicious) this.#endLate()
  }

  #endLate(): void {
    const latest = performance.now() - readLimitMs
    for (const beat of this.#underWay.values()) {
      if (beat.began > latest) return
      beat.onLate?.()
      beat.onLate = undefined
    }
  }

  async #probe(): Promise<void> {
    this.#isProbing = true
    const wasAway = this.#isAway
    this.#isAway = !(await answers(this.#url))
    this.#isProbing = false
    if (this.#isAway && !wasAway) this.#onSilence()
  }
}

/** Whether anything comes back. A refusal is an answer too, for example after a change of the password. */
async function answers(url: string): Promise<boolean> {
  const client = new LoginClient({
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
  } catch (error) {
    return isAnswer(error)
  } finally {
    client.end().catch(() => {})
  }
}
