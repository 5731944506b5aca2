import { unavailable } from '../problems.ts'

/** Lets a few go on at a time; the others wait, each for so long at the most. */
export class Turns {
  #free: number
  readonly #maxWaitMs: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number, maxWaitMs: number) {
    this.#free = atOnce
    this.#maxWaitMs = maxWaitMs
  }

  /** @returns what ends the turn. @throws Problem overloaded */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await this.#wait()
    return () => {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(goOn), 1)
        const detail = 'As many files are being made as may be at once; try again shortly.'
        reject(unavailable('overloaded', detail, { seconds: 10 }))
      }, this.#maxWaitMs)
      this.#waiting.push(goOn)
    })
  }
}
