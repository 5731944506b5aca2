// Runs once, and alone: it looks at the threads of its process.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { readText } from '../src/sheets/read.ts'

/** How many threads of this process are worth less than the one that answers (proc_pid_stat(5), `nice`). */
function threadsThatGiveWay(): number {
  const stats = readdirSync('/proc/self/task').map((id) =>
    readFileSync(`/proc/self/task/${id}/stat`, 'latin1'),
  )
  const priorities = stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))
  return priorities.filter((priority) => priority > getPriority()).length
}

describe('threads that work on a file', { skip: process.platform !== 'linux' && 'needs Linux' }, () => {
  it('leave the cores to the server while they read it', async () => {
    let giveWay = 0
    const source = {
      async *bytes() {
        giveWay = threadsThatGiveWay()
        yield Buffer.from('a,b\n'.repeat(100_000)) // a short text is read without one
      },
    }
    await Array.fromAsync(readText(source, { encoding: 'utf-8', delimiter: ',' }))
    assert.equal(giveWay, 1)
  })

  it('leave them while they look for children who may be there already', async () => {
    const thread = new Worker(new URL('../src/imports/planning/near-thread.ts', import.meta.url), {
      workerData: { students: null, dates: null },
    })
    thread.postMessage({ rows: '[]', students: null })
    await once(thread, 'message')
    const giveWay = threadsThatGiveWay()
    await thread.terminate()
    assert.equal(giveWay, 1)
  })
})
