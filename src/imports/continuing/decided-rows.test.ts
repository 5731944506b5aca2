import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type School } from '../../../test/school.ts'

describe('rows that somebody decided on', () => {
  let school: School
  let importer: Importer
  let id: number
  before(async () => {
    school = await openSchool()
    const registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
    id = await school.student(registrar, { name: 'Ada Lo', admission_number: '0042', class_id: 1 })
  })

  const file = 'name,admission_number,class\nAda Lo,42,Class 1\nBo Ri,b-1,Class 2\n'
  const decided = async (one: object) => {
    const planned = await importer.planned(file)
    return importer.continued(planned, { decisions: [{ row: 2, ...one }] })
  }

  it('are listed as long as it is decided, whatever comes of them', async () => {
    const [same, left] = [await decided({ decision: 'same', id }), await decided({ decision: 'leave_out' })]
    assert.deepEqual([same.counts.unchanged, left.counts.left_out, left.id], [1, 1, same.id])
    const [row, ...others] = await importer.rows(left.id, '&decided=true')
    assert.deepEqual([row.row, row.decision, row.outcome, others.length], [2, 'leave_out', 'left_out', 0])
    assert.equal((await importer.rows(left.id)).length, 2)
  })

  it('are asked about again once that is taken back', async () => {
    const before = await decided({ decision: 'new' })
    assert.equal(before.counts.create, 2)
    const back = await importer.continued(before, { decisions: [{ row: 2, decision: null }] })
    assert.deepEqual([back.counts.create, back.counts.doubtful], [1, 1])
    assert.deepEqual(await importer.rows(back.id, '&decided=true'), [])
    const again = await importer.continued(back, { decisions: [{ row: 2, decision: 'same', id }] })
    assert.deepEqual([again.counts.unchanged, again.counts.doubtful], [1, 0])
    const named = await importer.patch(again, { decisions: [{ row: 2, decision: null, id }] })
    assert.deepEqual([named.status, named.body.errors[0].pointer], [422, '/decisions/0/id'])
  })

  it('are not listed to somebody who sees less than the plan was made for', async () => {
    const { id: file } = await decided({ decision: 'new' })
    const held = ['students.import', 'students.view', 'students.create', 'classes.view'] as const
    const all = await personHolding(school, [['students.import'], 'all'], [held, [2]])
    assert.deepEqual(await new Importer(school, all).rows(file, '&decided=true'), [])
    assert.equal((await importer.rows(file, '&decided=true')).length, 1)
  })
})
