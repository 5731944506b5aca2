// Runs once: no database is asked.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'

/** Prints the young generation's size in MB: at first, under load, made small again, and under load again. */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { letYoungGenerationGrow } from '${import.meta.resolve('./young-generation.ts')}'
  const youngMb = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20
  const objects = []
  async function work() {
    const began = performance.now()
    const msSince = () => performance.now() - began
    while (msSince() < 500 || (youngMb() < 16 && msSince() < 10_000)) {
      for (let i = 0; i < 20_000; i++) objects[i] = { i, at: [i] }
      await new Promise(setImmediate)
    }
  }
  letYoungGenerationGrow()
  const sizes = [youngMb()]
  for (let times = 0; times < 2; times++) {
    await work()
    sizes.push(youngMb())
    gc({ type: 'major', flavor: 'last-resort' })
    sizes.push(youngMb())
  }
  process.stdout.write(JSON.stringify(sizes))`

describe("V8's young generation", () => {
  it('grows under load, to a bound, and again after it was made small', () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--expose-gc', '--semi-space-growth-factor=1', '--input-type=module', '--eval', program],
      { encoding: 'utf8' },
    )
    assert.equal(stderr, '')
    const [first, underLoad, madeSmall, underLoadAgain, smallAgain] = JSON.parse(stdout) as number[]
    for (const small of [first, madeSmall, smallAgain]) assert.ok(small! < 8, `${stdout} MB`)
    for (const large of [underLoad, underLoadAgain]) assert.ok(large! >= 16 && large! <= 64, `${stdout} MB`)
  })
})
