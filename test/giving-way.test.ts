// Runs once, and alone: it looks at the threads of its process.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, it } from 'node:test'
import type { Db } from '../src/db/tables.ts'
import { everything } from '../src/imports/planning/basis.ts'
import { NearSearch } from '../src/imports/planning/near-search.ts'
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
  for (const [length, lines, expected] of [
    ['long', 100_000, 1],
    ['short', 1, 0],
  ] as const)
    it(`leave the cores to the server while they read it, and are ${expected} for a ${length} text`, async () => {
      let giveWay = 0
      const source = {
        async *bytes() {
          giveWay = threadsThatGiveWay()
          yield Buffer.from('a,b\n'.repeat(lines))
        },
      }
      await Array.fromAsync(readText(source, { encoding: 'utf-8', delimiter: ',' }))
      assert.equal(giveWay, expected)
    })

  for (const [compared, expected] of [
    [100_000, 1],
    [800, 0],
  ] as const)
    it(`leave them while they look for children, and are ${expected} for ${compared} rows`, async () => {
      const nowhere = {} as Db // no student is read
      await using search = new NearSearch(nowhere, everything(), compared)
      await search.addRows([{ place: 2, number: '1', foldedName: 'ada', dateOfBirth: null, classId: 1 }])
      assert.equal(threadsThatGiveWay(), expected)
    })
})
