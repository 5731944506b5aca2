// Runs once: no database is asked.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'

/**
 * Prints the young generation's size in MB: at first, then under load and made small again, so many times.
 * @param nodeOptions what the program says of Node's options
 * @param enoughMb how large it is waited for
 */
const program = (nodeOptions: string, enoughMb: number, times: number) => `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { letYoungGenerationGrow } from '${import.meta.resolve('./memory.ts')}'
  const youngMb = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20
  const objects = []
  async function work() {
    const began = performance.now()
    const msSince = () => performance.now() - began
    while (msSince() < 500 || (youngMb() < ${enoughMb} && msSince() < 10_000)) {
      for (let i = 0; i < 20_000; i++) objects[i] = { i, at: [i] }
      await new Promise(setImmediate)
    }
  }
  letYoungGenerationGrow('${nodeOptions}')
  const sizes = [youngMb()]
  for (let i = 0; i < ${times}; i++) {
    await work()
    sizes.push(youngMb())
    gc({ type: 'major', flavor: 'last-resort' })
    sizes.push(youngMb())
  }
  process.stdout.write(JSON.stringify(sizes))`

function sizesWith(option: string, nodeOptions: string, enoughMb: number, times = 1): number[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', option, '--input-type=module', '--eval', program(nodeOptions, enoughMb, times)],
    { encoding: 'utf8' },
  )
  assert.equal(stderr, '')
  return JSON.parse(stdout)
}

/** Prints the young generation's size in MB before and after much was made that lives on: here, and in a thread. */
const boundProgram = `
  import { Worker } from 'node:worker_threads'
  import { boundMemory } from '${import.meta.resolve('./memory.ts')}'
  boundMemory('')
  function work() {
    const { getHeapSpaceStatistics } = process.getBuiltinModule('node:v8')
    const youngMb = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20
    const before = youngMb()
    const objects = []
    for (let i = 0; i < 300_000; i++) objects[i % 100_000] = { i, at: [i] }
    return [before, youngMb()]
  }
  const thread = new Worker('process.getBuiltinModule("node:worker_threads").parentPort.postMessage((' + work + ')())', { eval: true })
  thread.on('message', (there) => process.stdout.write(JSON.stringify({ here: work(), there })))`

/** Prints how many copies of V8's own code there are, before and after a thread began. */
const codeProgram = `
  import { readFileSync } from 'node:fs'
  import { Worker } from 'node:worker_threads'
  import { boundMemory } from '${import.meta.resolve('./memory.ts')}'
  boundMemory('')
  const copies = () => readFileSync('/proc/self/maps', 'utf8').split('\\n')
    .filter((line) => line.includes(' r-xp ') && line.endsWith(process.execPath)).length
  const before = copies()
  const thread = new Worker('process.getBuiltinModule("node:worker_threads").parentPort.on("message", () => {})', { eval: true })
  thread.once('online', () => {
    process.stdout.write(JSON.stringify([before, copies()]))
    void thread.terminate()
  })`

it("V8's own code is in memory once for all threads", { skip: process.platform !== 'linux' }, () => {
  const args = ['--input-type=module', '--eval', codeProgram]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(stderr, '')
  const [before, after] = JSON.parse(stdout)
  assert.ok(before > 0)
  assert.equal(after, before)
})

describe("V8's young generation", () => {
  it('stays small in every thread until it is let grow', () => {
    const args = ['--input-type=module', '--eval', boundProgram]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(stderr, '')
    // Unbounded, it has 32 or 64 MB by then. Bounded, a busy machine has up to 9 for a while: whole pages live on.
    for (const [place, [before, after]] of Object.entries<[number, number]>(JSON.parse(stdout)))
      assert.ok(before <= 2 && after < 16, `${place}: ${before} MB, then ${after} MB`)
  })

  it('grows under load, to a bound, and again after it was made small', () => {
    const sizes = sizesWith('--semi-space-growth-factor=1', '', 16, 2)
    const [first, underLoad, madeSmall, underLoadAgain, smallAgain] = sizes
    for (const small of [first, madeSmall, smallAgain]) assert.ok(small! < 8, `${sizes} MB`)
    for (const large of [underLoad, underLoadAgain]) assert.ok(large! >= 16 && large! <= 64, `${sizes} MB`)
  })

  it("is left alone where Node's options set its size", () => {
    for (const option of ['--max-semi-space-size=64', '--max_semi_space_size=64']) {
      const [, underLoad] = sizesWith(option, `--enable-source-maps ${option}`, 128)
      assert.equal(underLoad, 128, option)
    }
  })

  it('still needs a bound: V8 by itself lets it grow beyond, and this can go when it does not', () => {
    const [, underLoad] = sizesWith('--expose-gc', '--semi-space-growth-factor is as it is', 128)
    assert.ok(underLoad! > 32, `${underLoad} MB`)
  })
})
