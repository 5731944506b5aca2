import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/*
 * What PostgreSQL's search index is asked for. It has a list of students for each three letters that stand together
 * (a trigram), and intersects those of all trigrams that it is asked for: a few that are rare, and that do not tell
 * the same, find nearly as little as all of them, and take a third of the time.
 */

/** Of some students, picked at random, how many hold each trigram. */
interface TrigramCounts {
  readonly students: number
  readonly holding: ReadonlyMap<string, number>
}

/** So many times so many students are read, each at once: enough to tell a rare trigram from the rest. */
const [samples, sampleSize] = [4, 1_000]
const lastsMs = 3_600_000
/** How many students are counted in one turn of the event loop, in a millisecond or so. */
const atOnce = 50

const known = new WeakMap<object, { counts?: TrigramCounts; readonly since: number }>()

/** What was counted last; once an hour, by who asks then, it is counted anew for those who ask later. */
function trigramCounts(db: Db): TrigramCounts | undefined {
  const { adapter } = db.getExecutor()
  const last = known.get(adapter)
  if (last === undefined || performance.now() - last.since > lastsMs) {
    const next = { ...last, since: performance.now() }
    known.set(adapter, next)
    // Nobody waits for it, and it changes no answer.
    countTrigrams(db).then(
      (counts) => Object.assign(next, { counts }),
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
      const letters = [...search_text]
      for (const trigram of new Set(placesOf(letters).map((at) => trigramAt(letters, at))))
        holding.set(trigram, (holding.get(trigram) ?? 0) + 1)
      if (++students % atOnce === 0) await turn()
    }
  }
  return { students, holding }
}

/** Where trigrams begin. What is neither letter nor digit parts words for the index, too. */
function placesOf(letters: readonly string[]): number[] {
  const isInWord = letters.map((letter) => /[\p{L}\p{N}]/u.test(letter))
  return [...letters.keys()].filter((at) => isInWord[at] && isInWord[at + 1] && isInWord[at + 2])
}

function trigramAt(letters: readonly string[], at: number): string {
  return letters.slice(at, at + 3).join('')
}

/** What reading a student costs that does not hold the word, in entries of lists. */
const costOfMiss = 300

/** What more than this share of students hold is looked for as a whole: to read many twice costs more than lists do. */
const frequent = 0.001

/**
 * The parts of a word to look for, in their order; whoever holds the word holds them, and few others do.
 * @returns undefined where nothing is known yet, very many hold them, or the word has no trigrams
 */
export function tellingParts(db: Db, word: string): string[] | undefined {
  const counts = trigramCounts(db)
  if (counts === undefined) return undefined
  const letters = [...word]
  const trigrams = placesOf(letters).map((at) => {
    const holding = counts.holding.get(trigramAt(letters, at)) ?? 0
    return { at, share: Math.max(0.5, holding) / Math.max(1, counts.students) }
  })
  const chosen: number[] = []
  for (let found = 1; ; ) {
    let best: { at: number; left: number } | undefined
    let gain = 0
    for (const { at, share } of trigrams) {
      const left = found * share ** tells(at, chosen)
      const gained = costOfMiss * (found - left) - share
      if (gained > gain) {
        best = { at, left }
        gain = gained
      }
    }
    if (best === undefined) return found > frequent ? undefined : joined(letters, chosen)
    chosen.push(best.at)
    found = best.left
  }
}

/** How much of what a trigram says is new: those that overlap say much the same. */
function tells(place: number, chosen: readonly number[]): number {
  let nearest = 3
  for (const other of chosen) nearest = Math.min(nearest, Math.abs(other - place))
  return nearest / 3
}

/** The letters from these places on, three each; what overlaps is one part. */
function joined(letters: readonly string[], places: readonly number[]): string[] {
  const parts: string[] = []
  let end = 0
  for (const at of places.toSorted((a, b) => a - b)) {
    if (at < end) parts.push(parts.pop() + letters.slice(end, at + 3).join(''))
    else parts.push(trigramAt(letters, at))
    end = at + 3
  }
  return parts
}
