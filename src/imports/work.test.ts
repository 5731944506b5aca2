import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSchool } from '../../test/school.ts'
import { stage } from '../../test/staged-imports.ts'
import { instantAfter } from '../access/clock.ts'
import { write } from '../events/write.ts'
import { openStudentLists } from '../students/lists/lists.ts'
import { leaseMs, takeLease } from './leases.ts'
import { workOn } from './work.ts'

describe('the lease of an import whose slice takes long', () => {
  it('is held for longer by one write at a time', async (t) => {
    const school = await openSchool()
    const { db } = school
    const person = await school.person('registrar')
    const { id } = await stage(school, person, { header: ['name'], rows: [] })
    const now = school.now()
    const times = { now: now.toISOString(), until: instantAfter(now, leaseMs) }
    const taken = (await write(db, {}, (tx) => takeLease(tx, id, 'this', times)))!
    let writes = 0
    const clock = () => {
      writes++
      return now
    }
    t.mock.timers.enable({ apis: ['setInterval'] })
    const stop = new AbortController().signal
    const work = workOn({ db, taken, clock, lists: openStudentLists(db), stop })
    const passSome = async () => {
      t.mock.timers.tick(4_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await write(db, {}, async (tx) => {
      await tx.updateTable('imports').set({ done: 1 }).where('id', '=', id).execute()
      for (let i = 0; i < 3; i++) await passSome()
    })
    await work[Symbol.asyncDispose]()
    assert.equal(writes, 1)
  })
})
