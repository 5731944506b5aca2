import { type CodePoints, codePointsOf } from '../students/doubles/distance.ts'

/**
 * The Damerau–Levenshtein distance of two texts (optimal string alignment), where it is at most so much.
 * @returns undefined where they are further apart
 */
export function distanceWithin(most: number, one: string, other: string): number | undefined {
  const [a, b] = [codePointsOf(one), codePointsOf(other)]
  if (Math.abs(a.length - b.length) > most) return undefined
  let [before, last] = [[] as number[], b.map((_, i) => i)]
  last.push(b.length)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      row.push(isSwapped(a, b, i, j) ? Math.min(least, before[j - 2]! + 1) : least)
    }
    if (Math.min(...row) > most) return undefined
    ;[before, last] = [last, row]
  }
  const distance = last[b.length]!
  return distance > most ? undefined : distance
}

/** Whether the two characters before these places are the same, the other way round. */
function isSwapped(a: CodePoints, b: CodePoints, i: number, j: number): boolean {
  return i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
}

/** The texts nearest to one, of those within a distance, the nearest first; at most so many. */
export function nearest<Item>(
  text: string,
  items: readonly Item[],
  textOf: (item: Item) => string,
  { within, most }: { readonly within: number; readonly most: number },
): Item[] {
  return items
    .flatMap((item) => {
      const distance = distanceWithin(within, text, textOf(item))
      return distance === undefined ? [] : [{ item, distance }]
    })
    .sort((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ item }) => item)
}
