/** Remembers as much as it may; what was set longest ago goes first. */
export class Remembered<Value> {
  readonly #values = new Map<string, Value>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(name: string): Value | undefined {
    return this.#values.get(name)
  }

  set(name: string, value: Value): void {
    this.#values.delete(name)
    if (this.#values.size >= this.#most) this.#values.delete(this.#values.keys().next().value!)
    this.#values.set(name, value)
  }

  delete(name: string): void {
    this.#values.delete(name)
  }
}
