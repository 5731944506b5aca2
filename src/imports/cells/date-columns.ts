import { mostSamples, type Question, type Settings } from '../model.ts'
import { type DateFormat, type DateOrder, dateOrders, ordersOf } from './dates.ts'
import { firstYearIn, readSample, ShortYears } from './short-years.ts'

/** How a column writes its dates, by the answers and what the file told. */
export function dateFormatOf(heading: string, settings: Settings): DateFormat {
  return {
    order: dateOrders.find((order) => order === settings[`date_order.${heading}`]),
    firstYear: firstYearIn(settings[`short_years.${heading}`]),
  }
}

/** Where fewer than one in so many dates fit one order alone, it is asked whether they are slips. */
const oneIn = 4

/** Finds in which order a column of dates writes day and month, and what its years of two digits may be. */
export class DateColumn {
  readonly #key: string
  readonly #column: string
  readonly #counts = { both: 0, day_first: 0, month_first: 0 }
  readonly #samples = new Set<string>()
  /** Those that fit one order alone. */
  readonly #deciding = new Set<string>()
  readonly #shortYears: ShortYears
  #hasDots = false

  /** @param heading as questions name it; column: what it holds */
  constructor(heading: string, column: string, thisYear: number) {
    this.#shortYears = new ShortYears(heading, column, thisYear)
    this.#key = `date_order.${heading}`
    this.#column = column
  }

  /** The key of the question on the order. */
  get key(): string {
    return this.#key
  }

  add(cell: string): void {
    this.#shortYears.add(cell)
    const orders = ordersOf(cell)
    if (orders === undefined) return
    this.#counts[orders]++
    this.#hasDots ||= cell.includes('.')
    const samples = orders === 'both' ? this.#samples : this.#deciding
    if (samples.size < mostSamples) samples.add(cell.trim())
  }

  /**
   * What is to be asked first; undefined: nothing. An answer that is kept from another file may not fit this one. The
   * years come after the order, since samples show whole days.
   */
  question(settings: Settings): Question | undefined {
    const { both, day_first, month_first } = this.#counts
    const order = this.told ?? dateOrders.find((order) => order === settings[this.#key])
    if (order !== undefined || both + day_first + month_first === 0)
      return this.#shortYears.question(settings, order)
    const orders = this.#likely === 'day_first' ? dateOrders : dateOrders.toReversed()
    return {
      ...{ key: this.#key, text: this.#text(), required: true },
      choices: orders.map((order) => this.#choice(order)),
    }
  }

  /** The only order that some cells fit; undefined: none, or both. */
  get #fitting(): DateOrder | undefined {
    const { day_first, month_first } = this.#counts
    if (day_first > 0 === month_first > 0) return undefined
    return day_first > 0 ? 'day_first' : 'month_first'
  }

  /** Whether the cells that fit one order alone are so few that they may be slips. */
  get #areFew(): boolean {
    const { both, day_first, month_first } = this.#counts
    return (day_first + month_first) * oneIn < both + day_first + month_first
  }

  /** What the cells tell without a doubt; undefined: nothing. With dots, the day is written first everywhere. */
  get told(): DateOrder | undefined {
    const order = this.#fitting
    return this.#areFew || (order === 'month_first' && this.#hasDots) ? undefined : order
  }

  /** Whether an answer of another file may be wrong here: with dots, the day is written first everywhere. */
  isUnfit(settings: Settings): boolean {
    return this.#hasDots && this.told === undefined && settings[this.#key] === 'month_first'
  }

  /** What is proposed. */
  get #likely(): DateOrder {
    const { day_first, month_first } = this.#counts
    return month_first > day_first && !(this.#areFew && this.#hasDots) ? 'month_first' : 'day_first'
  }

  #text(): string {
    const column = `in the column "${this.#key.slice('date_order.'.length)}"`
    const { day_first, month_first } = this.#counts
    if (day_first + month_first === 0)
      return `Every date ${column} can be read in two ways. Does the day come first, or the month?`
    const some =
      this.#fitting === undefined
        ? `Some dates ${column} have the day first, and others the month.`
        : `Some dates ${column} can only have the ${this.#fitting === 'day_first' ? 'day' : 'month'} first, and may be slips.`
    return `${some} Which order holds? Rows that do not fit it are refused.`
  }

  #choice(order: DateOrder) {
    const cells = [...[...this.#deciding].slice(0, 2), ...this.#samples, ...this.#deciding]
    const format = { order, firstYear: this.#shortYears.firstYears[0] }
    const samples = [...new Set(cells)].slice(0, mostSamples).map((cell) => readSample(cell, format))
    const text = order === 'day_first' ? 'The day comes first' : 'The month comes first'
    return { answer: order, text, samples, about: this.#column }
  }
}
