/** Numbers in [0, 1), the same ones for the same seed (Mulberry32). */
export type Random = () => number

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Picks one, each as likely as the others. */
export function pickEvenly<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!
}

/** Makes a function that picks by weight. */
export function picker<Item>(items: readonly Item[], weights: readonly number[]): (random: Random) => Item {
  let sum = 0
  const sums = weights.map((weight) => {
    sum += weight
    return sum
  })
  return (random) => {
    const at = random() * sum
    return items[sums.findIndex((upTo) => at < upTo)] ?? items.at(-1)!
  }
}

/** Zipf's law: the first is picked most, the k-th 1/k^exponent as often, as names are in most peoples. */
export function zipfPicker<Item>(items: readonly Item[], exponent: number): (random: Random) => Item {
  return picker(
    items,
    items.map((_, rank) => (rank + 1) ** -exponent),
  )
}
