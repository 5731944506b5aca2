/** Lets one slice be written while the next is made. No more than one is on its way. */
export class OneBehind implements AsyncDisposable {
  #last: Promise<unknown> = Promise.resolve()

  /** Begins once the last one has ended. @throws what that threw */
  async begin(work: () => Promise<unknown>): Promise<void> {
    await this.#last
    this.#last = work()
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
