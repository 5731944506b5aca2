// Runs once: no database is asked.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it } from 'node:test'

/** Has the thread of an export make 600 slices of short texts, no two alike. Prints the most MB that they take there. */
async function measure(boundMemory: string, sheetThread: string): Promise<void> {
  const { Worker } = await import('node:worker_threads')
  const { default: events } = await import('node:events')
  ;(await import(boundMemory)).boundMemory('')
  const columns = Array.from({ length: 20 }, (_, i) => `column ${i}`)
  const workerData = {
    format: { type: 'csv', delimiter: ',', bom: false },
    plan: { columns, guardians: 0, systems: [] },
  }
  const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }
  const thread = new Worker(new URL(sheetThread), { workerData, resourceLimits, execArgv: [] })
  const used: number[] = []
  let texts = 0
  for (let slice = 0; slice < 600; slice++) {
    const rows = Array.from({ length: 100 }, () => columns.map(() => `t${texts++}`))
    const replied = events.once(thread, 'message')
    thread.postMessage({ rows: [{ json: JSON.stringify(rows), last: slice }] })
    await replied
    used.push((await thread.getHeapStatistics()).used_heap_size / 1e6)
  }
  await thread.terminate()
  process.stdout.write(String(Math.max(...used) - used[0]!))
}

it('the thread of an export keeps no short texts of students whom it has written', () => {
  const places = ['../cli/memory.ts', './sheet-thread.ts'].map((path) => import.meta.resolve(path))
  const program = `${measure}; await measure(...${JSON.stringify(places)})`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  // Those of 100 slices take 5 MB. By itself, V8 collects them when they take 8.
  assert.ok(Number(stdout) < 7, `${stdout} MB`)
})
