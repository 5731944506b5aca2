/** How many digits of a number count. */
const mostDigits = 15

/**
 * Finds the highest of a file's numbers that are written as the one which the school would give next: numbers that are
 * given to other rows come behind them.
 */
export class FileNumbers {
  readonly #prefix: string
  /** The digits of the next number. */
  #next: string

  /** @param first what the school would give next */
  constructor(first: string) {
    const [digits] = /[0-9]{1,15}$/.exec(first) ?? ['']
    this.#prefix = first.slice(0, first.length - digits.length)
    this.#next = digits || '0001'
  }

  add(number: string): void {
    const digits = number.slice(this.#prefix.length)
    if (!number.startsWith(this.#prefix) || digits.length > mostDigits || !/^[0-9]+$/.test(digits)) return
    if (Number(digits) < Number(this.#next)) return
    const next = String(Number(digits) + 1).padStart(digits.length, '0')
    if (next.length <= mostDigits) this.#next = next
  }

  /** The series behind them, as an answer has it: `2026-*0622`. */
  get series(): string {
    return `${this.#prefix}*${this.#next}`
  }
}
