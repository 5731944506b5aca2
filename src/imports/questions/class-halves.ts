import type { MappedColumn } from '../columns/column-mapping.ts'
import { foldHeading } from '../columns/headings.ts'
import { foldedWords } from '../columns/meanings.ts'
import { levels, sections } from '../columns/synonyms.ts'

const levelWords: ReadonlySet<string> = new Set(foldedWords(levels))

const sectionWords: ReadonlySet<string> = new Set(foldedWords(sections))

/** Of how many labels of a column it is looked whether they stand beside several of another. */
const mostLabels = 1_000

/** A column that may be the other half of the class. */
interface Half {
  readonly at: number
  readonly isLevel: boolean
  readonly isSection: boolean
  /** What stands beside each label; undefined: several things beside one, so it parts the classes. */
  beside: Map<string, string> | undefined
  /** Whether all that stands in it is as short as `B`, `12`, `1/2` or `7B`. */
  isShort: boolean
  /** Whether the label tells the same, as `7B` tells the year 7 and the section B. */
  isTold: boolean
}

const short = /^(?:\p{L}|\p{L}?\d{1,2}|\d{1,2}[/-]\d{1,2}|\d{1,2} ?\p{L})$/u

/** A label that tells the year, and no more. */
const year = /^\D*\d+(?:st|nd|rd|th|[º°])?$/iu

const numberIn = (text: string) => /[1-9]\d*/.exec(text)?.[0]

/**
 * Finds columns that are half of a class, the other half being in another column. A year is where one label stands beside
 * several, since nobody is in two years, or where the labels are short. A section is where it is short, or where several
 * stand beside one label that tells a year. Any other group is where the labels are numbers alone: else it is one in a class.
 */
export class ClassHalves {
  readonly #at: number
  readonly #halves: readonly Half[]
  readonly #isOfYears: boolean
  readonly #isOfSections: boolean
  #areYears = true
  #areNumbers = true
  #areShort = true

  constructor(mapped: readonly MappedColumn[], header: readonly string[]) {
    const isIn = (words: ReadonlySet<string>, { at }: MappedColumn) =>
      words.has(foldHeading(header[at] ?? ''))
    const open = mapped.filter(({ column, candidates }) => column === undefined && candidates[0] === 'class')
    const first =
      mapped.find(({ column }) => column === 'class') ?? open.find((one) => !isIn(levelWords, one)) ?? open[0]
    this.#at = first?.at ?? -1
    this.#isOfYears = first !== undefined && isIn(levelWords, first)
    this.#isOfSections = first !== undefined && isIn(sectionWords, first)
    this.#halves = open
      .filter((one) => one !== first)
      .map((one) => ({
        ...{ at: one.at, isLevel: isIn(levelWords, one), isSection: isIn(sectionWords, one) },
        ...{ beside: new Map(), isShort: true, isTold: true },
      }))
  }

  add(cells: readonly string[]): void {
    if (this.#halves.length === 0) return
    const label = (cells[this.#at] ?? '').trim()
    if (label === '') return
    this.#areNumbers &&= /^\d+$/.test(label)
    this.#areShort &&= short.test(label) || /^\p{L}{2}$/u.test(label)
    this.#areYears &&= year.test(label)
    for (const half of this.#halves) {
      const value = (cells[half.at] ?? '').trim()
      if (value === '') continue
      half.isShort &&= short.test(value)
      half.isTold &&= half.isLevel
        ? numberIn(value) !== undefined && numberIn(value) === numberIn(label)
        : label.toLowerCase().endsWith(value.toLowerCase())
      const before = half.beside?.get(label)
      if (half.beside === undefined) continue
      if (before === undefined && half.beside.size < mostLabels) half.beside.set(label, value)
      else if (before !== undefined && before !== value) half.beside = undefined
    }
  }

  /** Whether any column is. */
  get areThere(): boolean {
    return this.#halves.some(({ at }) => this.isHalf(at))
  }

  /** Whether a column is half of the class; undefined: it has no other half, or is asked for another reason. */
  isHalf(at: number): boolean | undefined {
    const half = this.#halves.find((one) => one.at === at)
    if (half === undefined) return undefined
    if (half.isTold) return false
    const parts = half.beside === undefined
    if (half.isLevel) return parts || this.#areShort || this.#isOfSections
    if (half.isSection && (half.isShort || (parts && this.#areYears))) return true
    return parts && (this.#isOfYears || this.#areNumbers)
  }
}
