import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Both halves of the young generation, in bytes: from 8 MB a half on, more brings little more speed. */
const enoughBytes = 16 * 1_048_576
const maxFactor = 4

/*
 * How V8's heap is kept small: 216 MB at the peak, where it was 278 MB. `memory.test.ts` says when this can go.
 */

/**
 * Call before anything else is loaded. Keeps V8's young generation in every thread at the size it starts with: left to
 * grow, it takes 13 MB more during the start, and holds them at rest. One thread collects it: little of it survives in
 * a server, and to wake helpers costs more than they help. The old generation is collected when it has grown by two
 * fifths: V8 would let it grow threefold, and hold what a thousand waiting requests left behind. Threads share V8's own
 * code, of which each would have 2 MB to itself, and one can have itself collected (`globalThis.gc`).
 * @param nodeOptions the options of Node; a size of the young generation that they set is left alone
 */
export function boundMemory(nodeOptions: string): void {
  if (!setsYoungGeneration(nodeOptions)) setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--heap-growing-percent=40')
  setFlagsFromString('--no-short-builtin-calls')
  setFlagsFromString('--expose-gc')
}

function setsYoungGeneration(nodeOptions: string): boolean {
  return /semi[-_]space/.test(nodeOptions)
}

/**
 * Lets V8's young generation grow under load. `boundMemory` kept it at its smallest during the start; at that size,
 * collecting it takes a fifth of the time. V8 shrinks it when nothing happens, and it grows again with the next load.
 * It is checked after each collection, and grows at most fourfold from one to the next, so that it does not overshoot.
 * If Node's options set its size, it is left alone.
 */
export function letYoungGenerationGrow(nodeOptions: string): void {
  if (setsYoungGeneration(nodeOptions)) return
  let factor = 1
  const look = () => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    const needed = Math.min(maxFactor, Math.ceil(enoughBytes / (young?.space_size || enoughBytes)))
    if (needed === factor) return
    factor = needed
    setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  }
  look()
  new PerformanceObserver(look).observe({ entryTypes: ['gc'] })
}
