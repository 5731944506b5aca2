/** The most rows of a slice, and how long it may take, in milliseconds. */
const [mostRows, longest] = [500, 100]

/** How many rows a slice has: as many as are done in time, so that nobody else waits for long. */
export class Pace {
  #size = 100

  /** How many rows the next slice is to have. */
  get size(): number {
    return this.#size
  }

  /** Does a slice, and learns from how long it took. */
  async timed<Result>(slice: (size: number) => Promise<Result>): Promise<Result> {
    const began = performance.now()
    const result = await slice(this.#size)
    const took = performance.now() - began
    const next = took > longest ? this.#size / 2 : took < longest / 2 ? this.#size * 2 : this.#size
    this.#size = Math.max(10, Math.min(mostRows, Math.floor(next)))
    return result
  }
}
