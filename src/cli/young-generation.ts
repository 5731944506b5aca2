import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Both halves of the young generation, in bytes: from 8 MB a half on, more brings little more speed. */
const enoughBytes = 16 * 1_048_576
const maxFactor = 4

/**
 * Lets V8's young generation, which `registrar.js` keeps at its smallest while the server starts, grow under load
 * to what is enough: at its smallest it is collected so often that a fifth of the time goes into it. V8 makes it
 * small again while nothing happens; with the next load it grows again. It is looked at after each collection, and
 * grows fourfold at the most from one to the next, so that it does not overshoot. Where Node's options set its size,
 * it is left alone, as `registrar.js` leaves it.
 */
export function letYoungGenerationGrow(nodeOptions: string): void {
  if (/semi[-_]space/.test(nodeOptions)) return
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
