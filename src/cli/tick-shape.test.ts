// Runs once: no database is asked.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it } from 'node:test'

/** Prints whether V8 knows one shape of ticks, or many: after a thousand ticks, and after collections and one more. */
const program = `
  import { setImmediate as turn } from 'node:timers/promises'
  import { keepTickShape } from '${import.meta.resolve('./tick-shape.ts')}'
  const shapesOfTicks = () => %GetFeedback(process.nextTick)
    .flatMap((slot) => slot?.[0] === 'DefineKeyedOwnPropertyInLiteral' ? [slot[1]] : [])
  keepTickShape()
  for (let i = 0; i < 1_000; i++) {
    process.nextTick(() => {})
    await turn()
  }
  const before = shapesOfTicks()
  for (let times = 0; times < 5; times++) {
    gc({ type: 'major', flavor: 'last-resort' })
    await turn()
  }
  process.nextTick(() => {})
  process.stdout.write(JSON.stringify({ before, after: shapesOfTicks() }))`

it('V8 knows the shape of ticks after collections too', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--allow-natives-syntax', '--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  )
  assert.equal(stderr, '')
  const { before, after } = JSON.parse(stdout)
  assert.deepEqual(new Set(before), new Set(['MONOMORPHIC']))
  assert.deepEqual(after, before)
})
