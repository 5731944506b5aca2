import { type Answer, mostSamples, type Question, type Settings } from '../model.ts'
import { type DateFormat, type DateOrder, dayInWords, fullYear, readDate, shortYearIn } from './dates.ts'

/** Dates of an own field are hardly further ahead, in years. */
const mostAhead = 20

/** Whether an answer is the first of a hundred years, or that rows are refused; the rows of the file may tell more. */
export function isShortYearsAnswer(answer: Answer): boolean {
  return answer === 'refuse' || firstYearIn(answer) !== undefined
}

/** The first of the hundred years that an answer means; undefined: it means none. */
export function firstYearIn(answer: Answer | undefined): number | undefined {
  return /^(?:19\d\d|2000)$/.test(String(answer)) ? Number(answer) : undefined
}

/** A cell of a date, as it would be read. */
export function readSample(cell: string, format: DateFormat): string {
  const day = readDate(cell, format)
  return `${cell}: ${typeof day === 'string' ? dayInWords(day) : 'refused'}`
}

/** Finds which hundred years the years of two digits in a column of dates may be in. */
export class ShortYears {
  readonly #heading: string
  readonly #column: string
  readonly #thisYear: number
  /** The first cell of each year, in the order of the file. */
  readonly #cells = new Map<string, string>()

  /** @param heading as questions name it; column: what it holds */
  constructor(heading: string, column: string, thisYear: number) {
    this.#heading = heading
    this.#column = column
    this.#thisYear = thisYear
  }

  add(cell: string): void {
    const digits = shortYearIn(cell)
    if (digits !== undefined && !this.#cells.has(digits)) this.#cells.set(digits, cell.trim())
  }

  /**
   * The first years that are proposed, the likeliest first. Nobody is born after this year. Other days may be ahead:
   * another answer is asked for only where it would change something.
   */
  get firstYears(): readonly number[] {
    const past = this.#thisYear - 99
    if (this.#column === 'date_of_birth') return [past]
    const mayAllFollow2000 = this.#years(2000).every((year) => year <= this.#thisYear + mostAhead)
    const likely = mayAllFollow2000 ? 2000 : past + mostAhead
    return this.#areAlike(likely, past) ? [likely] : [likely, past]
  }

  /**
   * What is to be asked; undefined: nothing. An answer that is kept from an earlier year counts where it means for these
   * cells what one means that is proposed now.
   */
  question(settings: Settings, order: DateOrder | undefined): Question | undefined {
    const key = `short_years.${this.#heading}`
    if (this.#cells.size === 0 || this.#holds(settings[key])) return undefined
    return {
      key,
      text: `Years in the column "${this.#heading}" have two digits. Which years are meant?`,
      required: true,
      choices: [
        ...this.firstYears.map((first) => this.#choice(first, `${first} to ${first + 99}`, order, first)),
        this.#choice('refuse', 'The rows are refused: the file is corrected by hand', order),
      ],
    }
  }

  #holds(answer: Answer | undefined): boolean {
    const given = firstYearIn(answer)
    return given === undefined
      ? answer === 'refuse'
      : this.firstYears.some((one) => this.#areAlike(one, given))
  }

  #years(firstYear: number): number[] {
    return [...this.#cells.keys()].map((digits) => fullYear(digits, firstYear))
  }

  /** Whether all cells have the same years by two answers. */
  #areAlike(one: number, other: number): boolean {
    return [...this.#cells.keys()].every((digits) => fullYear(digits, one) === fullYear(digits, other))
  }

  #choice(answer: Answer, text: string, order: DateOrder | undefined, firstYear?: number) {
    const samples = this.#shown.map((cell) => readSample(cell, { order, firstYear }))
    return { answer, text, samples, about: this.#column }
  }

  /** The cells of the first and the last year that each answer would make, and others; in the order of the file. */
  get #shown(): string[] {
    const all = [...this.#cells.values()]
    const outermost = this.firstYears.flatMap((firstYear) => {
      const years = this.#years(firstYear)
      return [all[years.indexOf(Math.min(...years))]!, all[years.indexOf(Math.max(...years))]!]
    })
    const shown = [...new Set([...outermost, ...all])].slice(0, mostSamples)
    return all.filter((cell) => shown.includes(cell))
  }
}
