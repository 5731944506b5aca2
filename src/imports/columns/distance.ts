import { type CodePoints, codePointsOf } from '../../students/doubles/distance.ts'

/**
 * The Damerau–Levenshtein distance of two texts (optimal string alignment), where it is at most so much.
 * @returns undefined where they are further apart
 */
export function distanceWithin(most: number, a: CodePoints, b: CodePoints): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  const width = b.length + 1
  // Of each text's beginning, the last three rows of the table; what is further off the diagonal is too far apart.
  let [before, last, row] = [0, 1, 2].map(() => new Uint16Array(width).fill(most + 1)) as Rows
  for (let j = 0; j <= Math.min(b.length, most); j++) last[j] = j
  for (let i = 1; i <= a.length; i++) {
    row.fill(most + 1)
    if (i <= most) row[0] = i
    let least = row[0]!
    for (let j = Math.max(1, i - most); j <= Math.min(b.length, i + most); j++) {
      const step = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let distance = Math.min(step, last[j]! + 1, row[j - 1]! + 1, most + 1)
      if (isSwapped(a, b, i, j)) distance = Math.min(distance, before[j - 2]! + 1)
      row[j] = distance
      if (distance < least) least = distance
    }
    if (least > most) return undefined
    ;[before, last, row] = [last, row, before]
  }
  const distance = last[b.length]!
  return distance > most ? undefined : distance
}

type Rows = [Uint16Array, Uint16Array, Uint16Array]

/** Whether the two characters before these places are the same, the other way round. */
function isSwapped(a: CodePoints, b: CodePoints, i: number, j: number): boolean {
  return i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
}

/** Finds those of some items whose texts are nearest to another text. */
export class Nearest<Item> {
  readonly #items: readonly { readonly item: Item; readonly codes: CodePoints }[]

  constructor(items: readonly Item[], textOf: (item: Item) => string) {
    this.#items = items.map((item) => ({ item, codes: codePointsOf(textOf(item)) }))
  }

  /** Those within a distance, the nearest first; at most so many. */
  to(text: string, { within, most }: { readonly within: number; readonly most: number }): Item[] {
    const wanted = codePointsOf(text)
    return this.#items
      .flatMap(({ item, codes }) => {
        const distance = distanceWithin(within, wanted, codes)
        return distance === undefined ? [] : [{ item, distance }]
      })
      .sort((one, other) => one.distance - other.distance)
      .slice(0, most)
      .map(({ item }) => item)
  }
}
