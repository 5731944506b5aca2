import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('a row of a child whose name is spelt in another way', () => {
  let school: School
  let admin: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
    importer = new Importer(school, admin)
  })

  it('is the same child, who keeps the name: all else of the row is taken', async () => {
    const parts = { given_name: 'Zoë', family_name: 'Meyer', date_of_birth: '2014-05-06' }
    const id = await school.student(admin, { name: 'Zoë Meyer', ...parts, admission_number: 'k-1' })
    const file =
      'given_name,family_name,preferred_name,date_of_birth,class,address\nZoe,Meyer,Zo,2014-05-06,Class 1,Linden 4\n'
    const asked = await importer.read(await importer.send(file))
    const answers = { name_order: 'given_first', admission_number: 'new-*1' }
    const planned = await importer.continued(asked, { answers })
    assert.equal(planned.counts.doubtful, 1)
    const decisions = [{ row: 2, decision: 'same_keep_name', id }]
    const settled = await importer.continued(planned, { decisions })
    const [row] = await importer.rows(settled.id)
    assert.deepEqual([row.outcome, row.id, row.decision], ['change', id, 'same_keep_name'])
    assert.deepEqual(row.cells, [
      { column: 'preferred_name', from: null, to: 'Zo' },
      { column: 'address', from: null, to: 'Linden 4' },
    ])
    assert.equal((await importer.applied(settled)).state, 'applied')
    const { name, given_name, preferred_name, admission_number } = (
      await school.get(`/api/students/${id}`, admin)
    ).body.data
    assert.deepEqual([name, given_name, preferred_name, admission_number], ['Zoë Meyer', 'Zoë', 'Zo', 'k-1'])
  })

  it('is unchanged where it gives nothing else, and needs the id', async () => {
    const id = await school.student(admin, { name: 'Ole Son', admission_number: '0077', class_id: 1 })
    const planned = await importer.planned('name,admission_number,class\nOlle Son,77,Class 1\n')
    const refused = await importer.patch(planned, { decisions: [{ row: 2, decision: 'same_keep_name' }] })
    assert.deepEqual(refused.body.errors, [
      { pointer: '/decisions/0/id', code: 'required', detail: 'is required with same_keep_name' },
    ])
    const decisions = [{ row: 2, decision: 'same_keep_name', id }]
    const { counts } = await importer.continued(planned, { decisions })
    assert.deepEqual([counts.unchanged, counts.change, counts.doubtful], [1, 0, 0])
  })
})
