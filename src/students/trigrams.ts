import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/*
 * What PostgreSQL's search index is asked for. It has a list of students for each three letters that stand together
 * (a trigram), and intersects those of all trigrams that it is asked for: a few that are rare and do not overlap
 * find nearly as little as all of them, in a third of the time.
 */

/** Of some students, how many hold each trigram. */
interface TrigramCounts {
  readonly students: number
  readonly holding: ReadonlyMap<string, number>
}

/** So many times so many students are read, of pages of the table picked at random: enough to tell what is rare. */
const [samples, sampleSize] = [4, 1_000]
/** Fewer tell nothing: the school is new, and its students are about to come. */
const leastStudents = 1_000
/** How long counts hold, and how long it is until they are tried for again, in milliseconds. */
const [lastsMs, againMs] = [3_600_000, 60_000]
/** How many students are counted in one turn of the event loop. */
const atOnce = 50

const known = new WeakMap<object, { counts?: TrigramCounts; until: number }>()

/** What was counted last. Who asks when that is an hour ago has it counted anew, for those who ask later. */
function trigramCounts(db: Db): TrigramCounts | undefined {
  const { adapter } = db.getExecutor()
  const last = known.get(adapter)
  if (last === undefined || performance.now() > last.until) {
    const next = { ...last, until: performance.now() + againMs }
    known.set(adapter, next)
    // Nobody waits for it, and it changes no answer.
    countTrigrams(db).then(
      (counts) => {
        if (counts.students < leastStudents) return
        next.counts = counts
        next.until = performance.now() + lastsMs
      },
      () => {},
    )
  }
  return last?.counts
}

async function countTrigrams(db: Db): Promise<TrigramCounts> {
  const holding = new Map<string, number>()
  let students = 0
  for (let sample = 0; sample < samples; sample++) {
    const { rows } = await sql<{ search_text: string }>`
      select search_text from students tablesample system (
        (select least(100, 100.0 * ${sampleSize} / greatest(1, sum(students))) from student_counts))`.execute(
      db,
    )
    for (const { search_text } of rows) {
      for (const { trigram } of trigramsOf([...search_text]))
        holding.set(trigram, (holding.get(trigram) ?? 0) + 1)
      if (++students % atOnce === 0) await turn()
    }
  }
  return { students, holding }
}

interface Trigram {
  readonly trigram: string
  /** Where it begins. */
  readonly at: number
}

/** Each trigram once. What is neither letter nor digit parts words for the index, too. */
function trigramsOf(letters: readonly string[]): Trigram[] {
  const isInWord = letters.map((letter) => /[\p{L}\p{N}]/u.test(letter))
  const found = new Map<string, number>()
  for (let at = 0; at + 3 <= letters.length; at++) {
    if (!isInWord[at] || !isInWord[at + 1] || !isInWord[at + 2]) continue
    const trigram = letters.slice(at, at + 3).join('')
    if (!found.has(trigram)) found.set(trigram, at)
  }
  return [...found].map(([trigram, at]) => ({ trigram, at }))
}

/** What reading a student costs that does not hold the word, in entries of lists. */
const costOfMiss = 300

/** Where trigrams leave more than this share of students, all of the word is asked for: reading many costs more than lists. */
const frequent = 0.001

/**
 * The parts of a word to look for, in their order; whoever holds the word holds them, and few others do. One trigram
 * after another is taken, each time the one that spares most.
 * @returns undefined where nothing is known yet, many seem to hold them, or the word has no trigrams
 */
export function rareParts(db: Db, word: string): string[] | undefined {
  const counts = trigramCounts(db)
  if (counts === undefined) return undefined
  const letters = [...word]
  const trigrams = trigramsOf(letters).map(({ trigram, at }) => {
    return { at, share: Math.max(0.5, counts.holding.get(trigram) ?? 0) / counts.students }
  })
  const chosen: number[] = []
  for (let remaining = 1; ; ) {
    let best: { at: number; remaining: number } | undefined
    let mostSpared = 0
    for (const { at, share } of trigrams) {
      const then = remaining * share ** newness(at, chosen)
      const spared = costOfMiss * (remaining - then) - share
      if (spared > mostSpared) {
        best = { at, remaining: then }
        mostSpared = spared
      }
    }
    if (best === undefined) return remaining > frequent ? undefined : partsAt(letters, chosen)
    chosen.push(best.at)
    remaining = best.remaining
  }
}

/** How much of what a trigram says is not said already: those that overlap say much the same. */
function newness(at: number, chosen: readonly number[]): number {
  let nearest = 3
  for (const other of chosen) nearest = Math.min(nearest, Math.abs(other - at))
  return nearest / 3
}

/** The trigrams that begin there; what overlaps is one part. */
function partsAt(letters: readonly string[], places: readonly number[]): string[] {
  const parts: string[] = []
  let end = 0
  for (const at of places.toSorted((a, b) => a - b)) {
    const isApart = at >= end
    const text = letters.slice(isApart ? at : end, at + 3).join('')
    parts.push(isApart ? text : parts.pop() + text)
    end = at + 3
  }
  return parts
}
