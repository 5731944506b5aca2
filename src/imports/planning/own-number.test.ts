import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

it('two children whose numbers a spreadsheet made one are imported: one keeps 0042, the other is new and has 42', async () => {
  const school = await openSchool()
  const admin = await school.person('administrator')
  const importer = new Importer(school, admin)
  const id = await school.student(admin, { name: 'Old Child', admission_number: '0042' })
  const file = 'name,admission_number,class,address\nNew Child,42,Class 1,A\nOld Child,42,Class 1,B\n'
  const planned = await importer.planned(file)
  assert.equal(planned.counts.doubtful, 2)
  const decisions = [
    { row: 2, decision: 'new' },
    { row: 3, decision: 'same', id },
  ]
  const { counts } = await importer.continued(planned, { decisions })
  assert.deepEqual([counts.create, counts.change, counts.doubtful, counts.refused], [1, 1, 0, 0])
})
