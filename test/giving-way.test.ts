// Runs once, and alone: it looks at the threads of its process.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, it } from 'node:test'
import type { Db } from '../src/db/tables.ts'
import { everything } from '../src/imports/planning/basis.ts'
import { NearSearch } from '../src/imports/planning/near-search.ts'
import { readText } from '../src/sheets/read.ts'
import { startServer } from './server.ts'

/** The names of threads of a process that are worth less than this one (proc_pid_stat(5), `comm` and `nice`). */
function threadsGivingWay(pid: number | 'self'): string[] {
  const stats = readdirSync(`/proc/${pid}/task`).map((id) =>
    readFileSync(`/proc/${pid}/task/${id}/stat`, 'latin1'),
  )
  return stats.flatMap((stat) => {
    const [nameBegins, nameEnds] = [stat.indexOf('('), stat.lastIndexOf(')')]
    const nice = Number(stat.slice(nameEnds + 2).split(' ')[16])
    return nice > getPriority() ? stat.slice(nameBegins + 1, nameEnds) : []
  })
}

const threadsThatGiveWay = () => threadsGivingWay('self').length

const onLinux = { skip: process.platform !== 'linux' && 'needs Linux' }

describe('threads that work on a file', onLinux, () => {
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

it("of a server, V8's threads leave the cores to those that answer", onLinux, async () => {
  const { url, process: server } = await startServer()
  assert.equal((await fetch(`${url}/api/health`)).status, 200)
  const names = threadsGivingWay(server.pid!)
  assert.ok(names.length > 0)
  for (const name of names) assert.match(name, /^V8Worker/)
})
