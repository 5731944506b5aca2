/* Phone numbers of which a spreadsheet took the zero in front, where nothing stands in the record to compare them with. */

interface Phones {
  /** How many begin with a zero, and how many digits these have. */
  zeros: number
  readonly lengths: Set<number>
  /** How many are digits alone without one, by how many these are. */
  readonly plain: Map<number, number>
}

/** Counts phone numbers by their columns. */
export class LostZeros {
  readonly #phones = new Map<string, Phones>()

  add(column: string, phone: string): void {
    const isPlain = /^[1-9]\d{5,}$/.test(phone)
    if (!isPlain && !phone.startsWith('0')) return
    const all = this.#phones.get(column) ?? { zeros: 0, lengths: new Set(), plain: new Map() }
    this.#phones.set(column, all)
    if (isPlain) all.plain.set(phone.length, (all.plain.get(phone.length) ?? 0) + 1)
    else {
      all.zeros++
      all.lengths.add(phone.replace(/\D/g, '').length)
    }
  }

  /** How many of a column would be as long as the others with a zero in front, where most others have one. */
  *lost(): Generator<readonly [column: string, cells: number]> {
    for (const [column, { zeros, lengths, plain }] of this.#phones) {
      const cells = [...plain].reduce(
        (sum, [length, count]) => sum + (lengths.has(length + 1) ? count : 0),
        0,
      )
      if (cells > 0 && cells < zeros) yield [column, cells]
    }
  }
}
