import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

/** About so many students are looked at, on pages of the table picked at random. */
const sampleSize = 4_000
/** Fewer tell nothing: the school is new, and its students are about to come. */
const leastStudents = 1_000
/** How long a sample holds, and how long it is until one is tried for again, in milliseconds. */
const [lastsMs, againMs] = [3_600_000, 60_000]
/** How many students are counted in one turn of the event loop. */
const atOnce = 50
/** What reading a student costs that does not hold the word, in entries of lists. */
const costOfMiss = 300
/** Where trigrams leave more than this share of students, all of the word is asked for. */
const frequent = 0.001

/**
 * The parts of a word that the search index is asked for. It has a list of students for each three letters that stand
 * together (a trigram), and intersects those of all that it is asked for. A few rare ones that do not overlap find
 * nearly as little as all of them: with a million students, in a third of the time.
 */
export class RareParts {
  readonly #db: Db
  readonly #now: () => number
  /** Of the sampled students, how many hold each trigram. */
  #holding: ReadonlyMap<string, number> = new Map()
  #sampled = 0
  #until = Number.NEGATIVE_INFINITY

  /** @param now in milliseconds, steady */
  constructor(db: Db, now = () => performance.now()) {
    this.#db = db
    this.#now = now
  }

  /** Whoever holds the word holds these, and few others do; the whole word where many do, or nothing is known. */
  of(word: string): readonly string[] {
    if (this.#now() > this.#until) this.#sampleSoon()
    if (this.#sampled === 0) return [word]
    const chosen: Trigram[] = []
    let remaining = 1
    const share = ({ text }: Trigram) => Math.max(0.5, this.#holding.get(text) ?? 0) / this.#sampled
    for (const trigram of trigramsOf(word).sort((a, b) => share(a) - share(b))) {
      if (chosen.some(({ at }) => Math.abs(at - trigram.at) < 3)) continue
      if (chosen.length > 0 && costOfMiss * remaining < share(trigram)) break
      chosen.push(trigram)
      remaining *= share(trigram)
    }
    return remaining > frequent ? [word] : chosen.map(({ text }) => text)
  }

  /** Nobody waits for it, and it changes no answer. */
  #sampleSoon(): void {
    this.#until = this.#now() + againMs
    this.#sample().catch(() => {})
  }

  async #sample(): Promise<void> {
    const { rows } = await sql<{ search_text: string }>`
      select search_text from students tablesample system (
        (select least(100, 100.0 * ${sampleSize} / greatest(1, sum(students))) from student_counts))`.execute(
      this.#db,
    )
    if (rows.length < leastStudents) return
    const holding = new Map<string, number>()
    for (const [i, { search_text }] of rows.entries()) {
      for (const { text } of trigramsOf(search_text)) holding.set(text, (holding.get(text) ?? 0) + 1)
      if (i % atOnce === 0) await turn()
    }
    this.#holding = holding
    this.#sampled = rows.length
    this.#until = this.#now() + lastsMs
  }
}

interface Trigram {
  readonly text: string
  /** Where it begins. */
  readonly at: number
}

/** Each trigram once. What is neither letter nor digit parts words for the index, too. */
function trigramsOf(word: string): Trigram[] {
  const letters = [...word]
  const found = new Map<string, number>()
  for (let at = 0; at + 3 <= letters.length; at++) {
    const text = letters.slice(at, at + 3).join('')
    if (/^[\p{L}\p{N}]{3}$/u.test(text) && !found.has(text)) found.set(text, at)
  }
  return [...found].map(([text, at]) => ({ text, at }))
}
