/** Lets one slice be written while the next is made. No more than one is on its way. */
export class OneBehind implements AsyncDisposable {
  #last: Promise<unknown> = Promise.resolve()
  #isFree = true

  /** Whether the last one has ended, so that the next begins at once. */
  get isFree(): boolean {
    return this.#isFree
  }

  /** Begins once the last one has ended. @throws what that threw */
  async begin(work: () => Promise<unknown>): Promise<void> {
    await this.#last
    this.#isFree = false
    this.#last = work().finally(() => {
      this.#isFree = true
    })
    this.#last.catch(() => {}) // told by the next call
  }

  /** Waits for the last one. @throws what that threw */
  async end(): Promise<void> {
    await this.#last
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last.catch(() => {})
  }
}
