import type { Page } from '../../db/pages.ts'
import { codePointsOf, isOneApart } from './distance.ts'
import { findSimilar, type Work } from './similar-names.ts'
import { comparedName, isTurned, plainName, turnsOf } from './turned-names.ts'

/** Why two students may be one child. The order is that of the numbers in `FoundPairs`. */
export const reasons = ['same_name_and_date', 'similar_name_and_date', 'same_name_and_class'] as const

export type Reason = (typeof reasons)[number]

/** What of a student the search reads. */
export type SearchedStudent = readonly [
  id: number,
  classId: number,
  dateOfBirth: string | null,
  foldedName: string,
]

/** Two students, the lower id first, in the order of ids: five numbers a pair, as `pairsThat` reads them. */
export type FoundPairs = Float64Array<ArrayBuffer>

const numbersOfPair = 5

/** A pair as it was found. */
export interface Pair {
  readonly low: number
  readonly high: number
  readonly reason: Reason
}

/** How many pairs are found at most. */
export const maxPairs = 200_000

/** Of students who are alike, how many are paired: the first by id. Others follow when those are corrected. */
const maxAlike = 100

/** How many names in all are looked at for being similar. */
const maxLooks = 20_000_000

/** Students with one date of birth, or of one class and without a date; a member for each, at the same place. */
interface Group {
  readonly ids: number[]
  readonly classes: number[]
  readonly names: string[]
}

/** Finds the pairs among the students that it is given. */
export class PairFinder {
  readonly #byDate = new Map<string, Group>()
  readonly #byClass = new Map<number, Group>()
  readonly #found: (readonly [
    low: number,
    high: number,
    lowClass: number,
    highClass: number,
    reason: number,
  ])[] = []
  readonly #work: Work = { looks: maxLooks }

  /** Takes students, in the order of ids. */
  add(students: readonly SearchedStudent[]): void {
    for (const [id, classId, date, name] of students) {
      const group = date === null ? groupAt(this.#byClass, classId) : groupAt(this.#byDate, date)
      group.ids.push(id)
      group.classes.push(classId)
      group.names.push(comparedName(name))
    }
  }

  /** The pairs of all that were added. At most `maxPairs`; of more, those of the earliest dates. */
  pairs(): FoundPairs {
    const dates = [...this.#byDate].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [, group] of dates) this.#findIn(group, 'same_name_and_date')
    for (const group of this.#byClass.values()) this.#findIn(group, 'same_name_and_class')
    const sorted = this.#found.sort((a, b) => a[0] - b[0] || a[1] - b[1])
    return new Float64Array(sorted.flat())
  }

  #findIn(group: Group, reason: Reason): void {
    if (group.ids.length < 2 || this.#isFull) return
    const places = placesOf(group.names)
    for (const [name, alike] of places) {
      this.#pairAlike(group, alike, reason)
      for (const turn of turnsOf(name))
        if (name < turn) this.#pairBoth(group, alike, places.get(turn), reason)
    }
    this.#pairSpellings(group, reason)
    if (reason === 'same_name_and_class') return
    const names = [...places.keys()]
    findSimilar(names, this.#work, (one, other) => {
      const [some, others] = [places.get(names[one]!)!, places.get(names[other]!)]
      this.#pairBoth(group, some, others, 'similar_name_and_date')
    })
  }

  /** Pairs names that `plainName` makes the same, in any order, and that are not told otherwise. */
  #pairSpellings(group: Group, reason: Reason): void {
    const { names } = group
    const [places, isOfDate] = [placesOf(names.map(plainName)), reason === 'same_name_and_date']
    const isTold = (one: string, other: string) =>
      one === other ||
      isTurned(one, other) ||
      (isOfDate && isOneApart(codePointsOf(one), codePointsOf(other)))
    for (const [name, some] of places)
      for (const turn of [name, ...turnsOf(name)])
        for (const one of name <= turn ? some : [])
          for (const other of places.get(turn) ?? [])
            if ((name !== turn || one < other) && !isTold(names[one]!, names[other]!))
              this.#tell(group, one, other, isOfDate ? 'similar_name_and_date' : reason)
  }

  #pairAlike(group: Group, places: readonly number[], reason: Reason): void {
    for (const [i, place] of places.entries())
      for (const other of places.slice(i + 1)) this.#tell(group, place, other, reason)
  }

  #pairBoth(group: Group, some: readonly number[], others: readonly number[] = [], reason: Reason): void {
    for (const a of some) for (const b of others) this.#tell(group, a, b, reason)
  }

  #tell({ ids, classes }: Group, one: number, other: number, reason: Reason): void {
    if (this.#isFull) return
    const [low, high] = one < other ? [one, other] : [other, one] // students came in the order of ids
    const number = reasons.indexOf(reason)
    this.#found.push([ids[low]!, ids[high]!, classes[low]!, classes[high]!, number])
  }

  get #isFull(): boolean {
    return this.#found.length >= maxPairs
  }
}

/** Decides on a pair by its numbers: no object is made of each of very many. */
export type PairTest = (
  low: number,
  high: number,
  lowClass: number,
  highClass: number,
  reason: Reason,
) => boolean

/** The pairs that pass, from one place to another among those, and how many pass in all. */
export function pairsThat(
  pairs: FoundPairs,
  pass: PairTest,
  { from = 0, to = maxPairs }: { readonly from?: number; readonly to?: number } = {},
): Page<Pair> {
  const items: Pair[] = []
  let total = 0
  for (let at = 0; at < pairs.length; at += numbersOfPair) {
    const [low, high, lowClass, highClass] = [pairs[at]!, pairs[at + 1]!, pairs[at + 2]!, pairs[at + 3]!]
    const reason = reasons[pairs[at + 4]!]!
    if (!pass(low, high, lowClass, highClass, reason)) continue
    if (total >= from && total < to) items.push({ low, high, reason })
    total++
  }
  return { items, total }
}

function groupAt<Key>(groups: Map<Key, Group>, key: Key): Group {
  const group = groups.get(key) ?? { ids: [], classes: [], names: [] }
  groups.set(key, group)
  return group
}

/** Where each name stands; of one that stands often, the first places. */
function placesOf(names: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [place, name] of names.entries()) {
    const before = places.get(name)
    if (before === undefined) places.set(name, [place])
    else if (before.length < maxAlike) before.push(place)
  }
  return places
}
