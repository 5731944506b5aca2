import type { Question, Settings } from '../model.ts'
import { type DateOrder, dateOrders, dayInWords, ordersOf, readDate } from './dates.ts'

/** How many cells are shown with a question. */
export const mostSamples = 5

/** Finds in which order a column of dates writes day and month. */
export class DateColumn {
  readonly #key: string
  readonly #column: string
  readonly #counts = { both: 0, day_first: 0, month_first: 0 }
  readonly #samples = new Set<string>()
  readonly #odd = new Set<string>()

  /** @param heading as questions name it; column: what it holds */
  constructor(heading: string, column: string) {
    this.#key = `date_order.${heading}`
    this.#column = column
  }

  /** The key of its question. */
  get key(): string {
    return this.#key
  }

  add(cell: string): void {
    const orders = ordersOf(cell)
    if (orders === undefined) return
    this.#counts[orders]++
    if (orders === 'both' && this.#samples.size < mostSamples) this.#samples.add(cell.trim())
    if (orders !== 'both' && this.#odd.size < mostSamples) this.#odd.add(cell.trim())
  }

  /**
   * The order that the cells tell, or else an answer: one that is kept from another file may not fit this one.
   * @returns undefined where neither tells it, or no cell needs one
   */
  order(settings: Settings): DateOrder | undefined {
    const { day_first, month_first } = this.#counts
    if (day_first > 0 !== month_first > 0) return day_first > 0 ? 'day_first' : 'month_first'
    return dateOrders.find((order) => order === settings[this.#key])
  }

  /** What is to be asked; undefined: nothing. */
  question(settings: Settings): Question | undefined {
    const { both, day_first, month_first } = this.#counts
    const isMixed = day_first > 0 && month_first > 0
    if (this.order(settings) !== undefined || (both === 0 && !isMixed)) return undefined
    const heading = this.#key.slice('date_order.'.length)
    const text = isMixed
      ? `Some dates in the column "${heading}" have the day first, and others the month. Which order holds? Rows that do not fit it are refused.`
      : `Every date in the column "${heading}" can be read in two ways. Does the day come first, or the month?`
    const orders = day_first >= month_first ? dateOrders : dateOrders.toReversed()
    return { key: this.#key, text, required: true, choices: orders.map((order) => this.#choice(order)) }
  }

  #choice(order: DateOrder) {
    const cells = [...this.#samples, ...this.#odd].slice(0, mostSamples)
    const samples = cells.map((cell) => {
      const day = readDate(cell, order)
      return `${cell}: ${typeof day === 'string' ? dayInWords(day) : 'refused'}`
    })
    const text = order === 'day_first' ? 'The day comes first' : 'The month comes first'
    return { answer: order, text, samples, about: this.#column }
  }
}
