import { type CodePoints, codePointsOf, isOneApart } from './distance.ts'

/** How many looks at names that may be similar are left, of all dates together. */
export interface Work {
  looks: number
}

/** How many variants of names are kept at once: those of some 65 000 names. */
const maxVariants = 1_000_000

/** A hash is a sum of code points, each times a power of this. */
const base = 0x01000193

/**
 * Finds the names at distance 1 from one another. Two such names share a variant: one of them as it is, or without one
 * of its characters. So each name is compared only with those before it that have a variant with the same hash. What
 * it takes grows with the letters of the names. It ends early where the names are too many, or too much alike.
 * @param names all different
 * @param tell is told the places of two names
 */
export function findSimilar(
  names: readonly string[],
  work: Work,
  tell: (one: number, other: number) => void,
): void {
  const variants = new Variants()
  const codes: CodePoints[] = []
  for (const [other, name] of names.entries()) {
    codes.push(codePointsOf(name))
    for (const one of variants.add(other, codes[other]!, work))
      if (isOneApart(codes[one]!, codes[other]!)) tell(one, other)
    if (variants.isFull || work.looks <= 0) return
  }
}

/** The hashes of the variants of names, and which names have them. */
class Variants {
  /** The newest entry of each hash. */
  readonly #newest = new Map<number, number>()
  /** Of each entry: whose variant it is, and the entry before it of the same hash. */
  readonly #names: number[] = []
  readonly #before: number[] = []

  get isFull(): boolean {
    return this.#names.length >= maxVariants
  }

  /** Adds the variants of a name. @returns the names before it that share one */
  add(name: number, codes: CodePoints, work: Work): Set<number> {
    const sharing = new Set<number>()
    for (const hash of variantHashes(codes)) {
      const before = this.#newest.get(hash) ?? -1
      for (let entry = before; entry >= 0 && work.looks > 0; entry = this.#before[entry]!) {
        work.looks--
        if (this.#names[entry] !== name) sharing.add(this.#names[entry]!)
      }
      this.#newest.set(hash, this.#names.length)
      this.#names.push(name)
      this.#before.push(before)
    }
    return sharing
  }
}

/** The hash of a text, and of the text without each of its characters. Texts with one hash need not be the same. */
function variantHashes(codes: CodePoints): number[] {
  const times = (code: number | undefined, power: number) => Math.imul(code ?? 0, power)
  let [before, after] = [0, 0]
  for (let i = 1, power = 1; i < codes.length; i++, power = Math.imul(power, base))
    after = (after + times(codes[i], power)) | 0
  const hashes: number[] = []
  let power = 1
  for (const [i, code] of codes.entries()) {
    hashes.push((before + after) | 0)
    before = (before + times(code, power)) | 0
    after = (after - times(codes[i + 1], power)) | 0
    power = Math.imul(power, base)
  }
  return [...hashes, before]
}
