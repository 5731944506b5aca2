/**
 * Finds whether a column counts the rows: 1, 2, 3 and so on, and from 1 again on a new page. A few cells may hold something
 * else, as `Total: 28` below the table.
 */
export class RowCount {
  #last = 0
  #rows = 0
  #others = 0
  #counts = true

  /** @param cell one that is not blank */
  add(cell: string): void {
    const number = /^\s*0*(\d{1,6})\.?\s*$/.exec(cell)?.[1]
    if (number === undefined) {
      this.#others++
      return
    }
    this.#counts &&= number === String(this.#last + 1) || (number === '1' && this.#last > 1)
    this.#last = Number(number)
    this.#rows++
  }

  get counts(): boolean {
    return this.#counts && this.#rows > 1 && this.#others <= Math.max(1, this.#rows / 10)
  }
}
