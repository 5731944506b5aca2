/** A number by what stands before its last digits. */
interface Parts {
  readonly prefix: string
  readonly digits: string
}

/** How many digits a series counts. */
const mostDigits = 15

const counted = /^(.*?)([0-9]{1,15})$/s

export function numberParts(number: string): Parts | undefined {
  const [, prefix, digits] = counted.exec(number) ?? []
  return prefix === undefined || digits === undefined ? undefined : { prefix, digits }
}

/** The highest of a file's numbers by prefix: those that are given to other rows come behind them. */
export class FileNumbers {
  readonly #highest = new Map<string, Parts>()

  add(cell: string): void {
    const number = numberParts(cell.trim())
    if (number === undefined) return
    const { digits } = this.#highest.get(number.prefix) ?? { digits: '-1' }
    if (Number(number.digits) > Number(digits) && this.#highest.size < mostPrefixes)
      this.#highest.set(number.prefix, number)
  }

  /** The first number of a series that begins with one, or behind the file's own: `2026-*0622`. */
  seriesFrom(first: string): string {
    const { prefix, digits } = numberParts(first) ?? { prefix: first, digits: '0001' }
    const highest = this.#highest.get(prefix)?.digits ?? ''
    const next = String(Number(highest) + 1).padStart(highest.length, '0')
    return Number(highest) < Number(digits) || next.length > mostDigits
      ? `${prefix}*${digits}`
      : `${prefix}*${next}`
  }
}

/** How many prefixes are told apart: where numbers count nothing, each may be one of its own. */
const mostPrefixes = 1_000
