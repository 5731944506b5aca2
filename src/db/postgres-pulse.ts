import { LoginClient } from './postgres-login.ts'
import { DatabaseUnavailableError, isAnswer } from './violations.ts'

/** How often the statements under way are looked at, and how old one may be before the database is asked. */
const lookEveryMs = 250
const suspiciousAfterMs = 750
const probeTimeoutMs = 500
/** How old a read becomes before it is ended here: the database's own limit of 5 s comes first. */
const readLimitMs = 5_500

interface Beat {
  readonly began: number
  /** What ends the statement, once. */
  onLate: (() => void) | undefined
}

/**
 * Notices a database that has fallen silent (frozen, or behind a network that drops packets), where a plain
 * stop would show itself: when a statement takes long, a connection of its own asks for an answer. While
 * there is none, nothing waits for the database, and it is asked again until it answers. Statements that take too
 * long are told of, for the database may know no limit.
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

/** Whether anything comes back: a refusal, since the password was changed say, is an answer too. */
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
