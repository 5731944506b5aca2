import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { type StagedImport, stage } from '../../../test/staged-imports.ts'
import { instantAfter } from '../../access/clock.ts'
import { write } from '../../events/write.ts'
import { openStudentLists } from '../../students/lists/lists.ts'
import { LeaseLostError, leaseMs, takeLease } from '../leases.ts'
import type { Step } from '../steps.ts'
import { workOn } from '../work.ts'
import { applyImport } from './apply.ts'
import { undoImport } from './undo.ts'

/** Some more rows than the first slice has. */
const count = 120

describe('an instance that another has taken an import from', () => {
  let school: School
  let registrar: Person
  let imports = 0
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const take = (staged: StagedImport, holder: string) => {
    const now = school.now()
    const times = { now: now.toISOString(), until: instantAfter(now, leaseMs) }
    return write(school.db, {}, (tx) => takeLease(tx, staged.id, holder, times))
  }

  /** Does a step, whose import another instance takes after so many slices. What is there then is all that is there. */
  async function assertStops(staged: StagedImport, number: string, step: Step, slices: number) {
    const { db } = school
    const seen = async () => {
      const { body } = await school.get(`/api/students?search=${number}-&per_page=1`, registrar)
      const { total } = body.pagination
      return [total, await staged.row()]
    }
    const taken = (await take(staged, 'the first'))!
    await using work = workOn({
      ...{ db, taken, lists: openStudentLists(db), clock: () => school.now() },
      stop: new AbortController().signal,
    })
    let there: unknown
    let done = 0
    const lose = async () => {
      if (done++ !== slices) return
      school.passSeconds(leaseMs / 1000 + 1)
      assert.ok(await take(staged, 'the other'))
      there = await seen()
    }
    await lose()
    await assert.rejects(step(await staged.row(), { ...work, beat: lose }), LeaseLostError)
    assert.deepEqual(await seen(), there)
  }

  for (const [slices, told] of ['before its first slice', 'after one slice', 'after both slices'].entries()) {
    it(`applies no more of it: ${told}`, async () => {
      const number = `lease${++imports}`
      const staged = await requested(number)
      await assertStops(staged, number, applyImport, slices)
    })

    it(`takes no more of it back: ${told}`, async () => {
      const number = `lease${++imports}`
      const staged = await requested(number)
      assert.equal(await staged.finish(), 'applied')
      await staged.requestUndo(registrar)
      await assertStops(staged, number, undoImport, slices)
    })
  }

  async function requested(number: string): Promise<StagedImport> {
    const rows = Array.from({ length: count }, (_, i) => [`${number}-${i}`, `Kid ${number} ${i}`, '1'])
    const staged = await stage(school, registrar, { header: ['admission_number', 'name', 'class_id'], rows })
    assert.deepEqual(await staged.plan(), { rows: count, create: count })
    await staged.request(registrar)
    return staged
  }
})
