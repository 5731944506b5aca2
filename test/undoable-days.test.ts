import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { lastDay, lastMoment, undoableDays as namedDays } from '../console/imports/last-day.ts'
import { undoableDays } from '../src/audit/undo.ts'
import { keptDays } from '../src/imports/erasing.ts'
import { Importer } from './import-calls.ts'
import { openSchool, type Person, type School } from './school.ts'

describe('the days for which an import can be taken back', () => {
  let school: School
  let admin: Person
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
  })

  it('are as many as the console names, and its rows are kept as long: taking it back reads them', () => {
    assert.equal(namedDays, undoableDays)
    assert.ok(keptDays >= undoableDays)
  })

  it('end in the console when they end on the server, and on that day of the school', async () => {
    const importer = new Importer(school, admin)
    const applied = await importer.applied(
      await importer.planned('name,admission_number,class\nLast Day,ld-1,Class 1\n'),
    )
    const until = lastMoment(applied.updated_at)
    assert.equal(until.getTime(), school.now().getTime() + undoableDays * 86_400_000)
    assert.equal(lastDay('2026-06-10T22:30:00Z', 'Europe/Berlin'), '2026-07-11')
    assert.equal(lastDay('2026-06-10T22:30:00Z'), '2026-07-10')
    const undo = async () => {
      const { token } = (await school.login(admin.email)).body.data
      return new Importer(school, { ...admin, token }).undo(applied.id)
    }
    school.passSeconds(undoableDays * 86_400 + 1)
    const { status, body } = await undo()
    assert.deepEqual([status, body.code, until < school.now()], [409, 'change_set_not_undoable', true])
    school.passSeconds(-3_601)
    assert.deepEqual([(await undo()).status, until < school.now()], [202, false])
  })
})
