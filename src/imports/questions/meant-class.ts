import { codePointsOf } from '../../students/doubles/distance.ts'
import { inPlainDigits } from '../../text/digits.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { distanceWithin } from '../columns/distance.ts'
import { foldedWords } from '../columns/meanings.ts'
import { classWords } from '../columns/synonyms.ts'
import type { Likeness } from '../model.ts'
import type { KnownClass } from '../reading-rules.ts'

/** A label taken apart. */
interface Parts {
  /**
   * What tells one class from the next: numbers, single letters, and all that stands behind the first number but words
   * for a class.
   */
  readonly marks: string
  /** The words besides, as `class` of `Class 5`. */
  readonly words: string
  /** The words that are none for a class, in one. */
  readonly name: string
}

const forClass: ReadonlySet<string> = new Set(foldedWords(classWords))

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
    if (isMark && !forClass.has(part)) marks.push(isNumber ? part.replace(/^0+(?=\d)/, '') : part)
    else words.push(part)
  }
  const name = words.filter((word) => !forClass.has(word)).join('')
  return { marks: marks.join(' '), words: words.join(' '), name }
}

/** Whether a label holds anything by which a class could be meant: `-` does not. */
export function namesClass(label: string): boolean {
  const { marks, words } = partsOf(label)
  return marks !== '' || words !== ''
}

/** A class that a label means, and how alike they are. */
interface MeantClass<Class> {
  readonly one: Class
  readonly likeness: Likeness
}

/** A letter behind a number that was typed twice; a Roman number has such letters. */
const doubledLetter = /(?<=\d )(?![ivx])(\p{L})\1$/u

/** Finds the class that a label means but for how it is written: `5` or `Klase 5` where there is `Klasse 5`. */
export class MeantClasses<Class extends Pick<KnownClass, 'label'>> {
  readonly #byMarks = new Map<string, (Parts & { readonly one: Class })[]>()

  constructor(classes: readonly Class[]) {
    for (const one of classes) this.add(one)
  }

  add(one: Class): void {
    const parts = partsOf(one.label)
    const marked = this.#byMarks.get(parts.marks)
    if (marked === undefined) this.#byMarks.set(parts.marks, [{ one, ...parts }])
    else marked.push({ one, ...parts })
  }

  /** @returns undefined where there is none, or more than one */
  find(label: string): MeantClass<Class> | undefined {
    const parts = partsOf(label)
    const marks = parts.marks.replace(doubledLetter, '$1')
    if (marks === parts.marks || this.#byMarks.has(parts.marks)) return this.#like(parts)
    const meant = this.#like({ ...parts, marks })
    return meant && { ...meant, likeness: 'near' }
  }

  /** Those with the same words are looked at alone; without any, those with the same but for words for a class. */
  #like(parts: Parts): MeantClass<Class> | undefined {
    const marked = this.#byMarks.get(parts.marks) ?? []
    const same = marked.filter(({ words }) => words === parts.words)
    const spelt = same.length > 0 ? same : marked.filter(({ name }) => name === parts.name)
    const alike = spelt.length > 0 ? spelt : marked.filter((other) => areAlike(parts, other))
    if (alike.length !== 1) return undefined
    return { one: alike[0]!.one, likeness: spelt.length > 0 ? 'spelling' : 'near' }
  }
}

/** Words that differ by a slip; beside the same marks, one may be short for the other, or not there. */
function areAlike({ marks, words }: Parts, { words: others }: Parts): boolean {
  if (marks !== '' && (words.startsWith(others) || others.startsWith(words))) return true
  const [one, other] = [codePointsOf(words), codePointsOf(others)]
  const slips = Math.min(3, Math.ceil(Math.max(one.length, other.length) / 2) - 1)
  return distanceWithin(slips, one, other) !== undefined
}
