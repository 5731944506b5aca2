import { plainName, turnsOf } from '../../students/doubles/turned-names.ts'

/** The places of rows by what they have in common, which is most often one place. */
export class PlacesBy {
  readonly #places = new Map<string, number | number[]>()

  add(key: string, place: number): void {
    const found = this.#places.get(key)
    if (found === undefined) this.#places.set(key, place)
    else if (typeof found === 'number') this.#places.set(key, [found, place])
    else found.push(place)
  }

  get(key: string): readonly number[] {
    const found = this.#places.get(key) ?? []
    return typeof found === 'number' ? [found] : found
  }

  keys(): Iterable<string> {
    return this.#places.keys()
  }

  /** The places that have something in common with others. */
  shared(): (readonly number[])[] {
    return [...this.#places.values()].filter((found) => typeof found !== 'number')
  }

  /** The same of names: one is another too that `plainName` makes the same, or whose parts stand in another order. */
  sharedNames(): (readonly number[])[] {
    if (this.#places.size === 1) return this.shared()
    const plain = new PlacesBy()
    for (const name of this.#places.keys())
      for (const place of this.get(name)) plain.add(plainName(name), place)
    return [...plain.keys()].flatMap((name) => {
      const turns = [...turnsOf(name)].filter((turn) => plain.#places.has(turn))
      if (turns.some((turn) => turn < name)) return [] // told with that
      const places = [name, ...turns].flatMap((one) => plain.get(one))
      return places.length > 1 ? [places.sort((a, b) => a - b)] : []
    })
  }
}
