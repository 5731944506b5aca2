import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('new rows of one file that are said to be several children', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  const header = 'name,admission_number,class,date_of_birth'
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const doubles = async (): Promise<number> => {
    const { status, body, text } = await school.get('/api/doubles', registrar)
    assert.equal(status, 200, text)
    return body.pagination.total
  }

  it('are no doubles once they are made, however many slices make them', async () => {
    const others = Array.from({ length: 400 }, (_, i) => `Other ${i}x,tw-o${i},Class 2,\n`)
    const twin = (number: string) => `Tom Twin,${number},Class 1,2014-03-09\n`
    const file = `${header}\n${twin('tw-1')}${twin('tw-2')}${others.join('')}${twin('tw-3')}`
    const planned = await importer.planned(file)
    assert.equal(planned.counts.doubtful, 3)
    const decisions = [2, 3, 404].map((row) => ({ row, decision: 'new' }))
    const decided = await importer.continued(planned, { decisions })
    assert.deepEqual([decided.counts.doubtful, decided.counts.create], [0, 403])
    const shown = await importer.rows(planned.id, '&outcome=create')
    assert.ok(!JSON.stringify(shown).includes('places'))
    const applied = await importer.applied(decided)
    assert.equal(applied.state, 'applied', JSON.stringify(applied.failure))
    assert.equal(await doubles(), 0)
    const settled = await school.db.selectFrom('settled_pairs').selectAll().execute()
    assert.equal(settled.length, 3)
    const undone = await importer.undone(planned.id)
    assert.equal(undone.state, 'undone')
    assert.deepEqual(await school.db.selectFrom('settled_pairs').selectAll().execute(), [])
  })

  it('are settled with a child whom another of the rows is, too', async () => {
    const given = { name: 'Una Same', admission_number: 'us-1', class_id: 1, date_of_birth: '2013-01-02' }
    const id = await school.student(registrar, given)
    const file = `${header}\nUna Same,us-2,Class 1,2013-01-02\nUna Same,us-3,Class 1,2013-01-02\n`
    const planned = await importer.planned(file)
    const decisions = [
      { row: 2, decision: 'new' },
      { row: 3, decision: 'same', id },
    ]
    await importer.applied(await importer.continued(planned, { decisions }))
    assert.equal(await doubles(), 0)
  })
})
