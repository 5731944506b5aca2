import { codePointsOf } from '../../students/doubles/distance.ts'
import { inPlainDigits } from '../../text/digits.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { distanceWithin } from '../columns/distance.ts'
import type { KnownClass } from '../facts.ts'

/** A label taken apart. */
interface Parts {
  /** What tells one class from the next: numbers, single letters, and all that stands behind the first number. */
  readonly marks: string
  /** The words besides, as `class` of `Class 5`. */
  readonly words: string
}

const romanNumber = /^[ivx]+\p{L}?$/u

/** What makes a number an ordinal, in French and English: `6ème A`, `6e A` and `6eA` are `6 A`. */
const ordinals = /(?<=\d)\s?(?:[eè]me|[eè]?re|er|nde|e(?=\s?\p{L}$)|st|nd|rd|th)(?![\p{L}\p{M}]{2})/gu

/** A label's parts: `Klasse 07 b` has the marks `7 b`. */
function partsOf(label: string): Parts {
  const marks: string[] = []
  const words: string[] = []
  let isBehindNumber = false
  for (const [part] of inPlainDigits(uniqueKey(label))
    .replace(ordinals, ' ')
    .matchAll(/\d+|[\p{L}\p{M}]+/gu)) {
    const isNumber = /\d/.test(part)
    isBehindNumber ||= isNumber
    const isMark = isBehindNumber || [...part].length === 1 || romanNumber.test(part)
    if (isMark) marks.push(isNumber ? part.replace(/^0+(?=\d)/, '') : part)
    else words.push(part)
  }
  return { marks: marks.join(' '), words: words.join(' ') }
}

/** Whether a label holds anything by which a class could be meant: `-` does not. */
export function namesClass(label: string): boolean {
  const { marks, words } = partsOf(label)
  return marks !== '' || words !== ''
}

/** Finds the class that a label means but for how it is written: `5` or `Klase 5` where there is `Klasse 5`. */
export class MeantClasses {
  readonly #byMarks: ReadonlyMap<string, readonly { readonly one: KnownClass; readonly words: string }[]>

  constructor(classes: readonly KnownClass[]) {
    const parted = classes.map((one) => ({ one, ...partsOf(one.label) }))
    this.#byMarks = Map.groupBy(parted, ({ marks }) => marks)
  }

  /** @returns undefined where there is none, or more than one */
  find(label: string): KnownClass | undefined {
    const { marks, words } = partsOf(label)
    const alike = (this.#byMarks.get(marks) ?? []).filter((other) => areAlike(marks, words, other.words))
    return alike.length === 1 ? alike[0]!.one : undefined
  }
}

/** Words that differ by a slip; beside the same marks, one may be short for the other, or not there. */
function areAlike(marks: string, words: string, others: string): boolean {
  if (marks !== '' && (words.startsWith(others) || others.startsWith(words))) return true
  const [one, other] = [codePointsOf(words), codePointsOf(others)]
  const slips = Math.min(3, Math.ceil(Math.max(one.length, other.length) / 2) - 1)
  return distanceWithin(slips, one, other) !== undefined
}
