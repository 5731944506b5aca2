import type { MappedColumn } from '../columns/column-mapping.ts'
import { foldHeading } from '../columns/headings.ts'
import { foldedWords } from '../columns/meanings.ts'
import { levels } from '../columns/synonyms.ts'

const levelWords: ReadonlySet<string> = new Set(foldedWords(levels))

/** Of how many labels of a column it is looked whether they stand beside several of another. */
const mostLabels = 1_000

/** A column that may be the other half of the class. */
interface Half {
  readonly at: number
  readonly isLevel: boolean
  /** What stands beside each label; undefined: several things beside one, so it parts the classes. */
  beside: Map<string, string> | undefined
}

/**
 * Finds columns that are half of a class, the other half being in another column. A year is where one label stands beside
 * several, since nobody is in two years, or where the labels are letters alone. A group is where the labels are years, or
 * numbers alone: else it is one in a class.
 */
export class ClassHalves {
  readonly #at: number
  readonly #halves: readonly Half[]
  readonly #isOfYears: boolean
  #areNumbers = true
  #areLetters = true

  constructor(mapped: readonly MappedColumn[], header: readonly string[]) {
    const isLevel = ({ at }: MappedColumn) => levelWords.has(foldHeading(header[at] ?? ''))
    const open = mapped.filter(({ column, candidates }) => column === undefined && candidates[0] === 'class')
    const first = mapped.find(({ column }) => column === 'class') ?? open[0]
    this.#at = first?.at ?? -1
    this.#isOfYears = first !== undefined && isLevel(first)
    this.#halves = open
      .filter((one) => one !== first)
      .map((one) => ({ at: one.at, isLevel: isLevel(one), beside: new Map() }))
  }

  add(cells: readonly string[]): void {
    if (this.#halves.length === 0) return
    const label = (cells[this.#at] ?? '').trim()
    if (label === '') return
    this.#areNumbers &&= /^\d+$/.test(label)
    this.#areLetters &&= /^\p{L}{1,2}$/u.test(label)
    for (const half of this.#halves) {
      const value = (cells[half.at] ?? '').trim()
      const before = half.beside?.get(label)
      if (value === '' || half.beside === undefined) continue
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
    if (half.isLevel && this.#areLetters) return true
    return half.beside === undefined && (half.isLevel || this.#isOfYears || this.#areNumbers)
  }
}
