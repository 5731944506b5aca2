import { engineOf } from '../../db/engine.ts'
import type { Db } from '../../db/tables.ts'

/** The most rows of a slice: few, so that what is made of them is gone before V8 moves it to what it seldom collects. */
const mostRows = { sqlite: 150, postgres: 100 }

/** The fewest: what a slice costs by itself, on a busy machine too, is shared by them. */
const fewestRows = 50

/**
 * How long a slice is to take, in milliseconds. On SQLite whoever writes waits for it: there the aim is below 100, since
 * slices differ.
 */
const aimedMs = { sqlite: 45, postgres: 100 }

/** How many rows a slice has: as many as are done in time, so that nobody else waits for long. */
export class Pace {
  #size = 100
  readonly #aimedMs: number
  readonly #mostRows: number

  constructor(db: Db) {
    this.#aimedMs = aimedMs[engineOf(db)]
    this.#mostRows = mostRows[engineOf(db)]
  }

  /** How many rows the next slice is to have. */
  get size(): number {
    return this.#size
  }

  /** Does a slice, and learns from how long it took. */
  async timed<Result>(slice: (size: number) => Promise<Result>): Promise<Result> {
    const began = performance.now()
    const result = await slice(this.#size)
    const share = this.#aimedMs / (performance.now() - began)
    const next = Math.floor(this.#size * Math.max(0.5, Math.min(2, share)))
    this.#size = Math.max(fewestRows, Math.min(this.#mostRows, next))
    return result
  }
}
