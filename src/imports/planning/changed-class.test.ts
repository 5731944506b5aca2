import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('an export of all columns in which classes were changed', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  let header: string
  let ada: string
  before(async () => {
    school = await openSchool()
    registrar = await school.person('administrator')
    importer = new Importer(school, registrar)
    await school.student(registrar, { admission_number: '1', name: 'Ada Berg', class_id: 7 })
    const { text } = await school.get('/api/students.csv?bom=off', registrar)
    ;[header, ada] = text.split('\r\n') as [string, string]
    assert.ok(ada.includes(',7,Class 7,'), ada)
  })

  const classIn = async (row: string) => {
    const [one] = await importer.rows((await importer.planned(`${header}\n${row}\n`)).id)
    return one.cells.find(({ column }: { column: string }) => column === 'class')
  }

  it('moves a child whose class was changed, though the number of the class beside it was not', async () => {
    const to8 = await classIn(ada.replace('Class 7', 'Class 8'))
    assert.deepEqual(to8, { column: 'class', from: 'Class 7', to: 'Class 8' })
  })

  it('asks about a class that is not there yet, and makes it', async () => {
    const id = await importer.send(`${header}\n${ada.replace('Class 7', '8a')}\n`)
    const asked = await importer.read(id)
    assert.deepEqual(
      asked.questions.map(({ key }: { key: string }) => key).filter((key: string) => key !== 'clear'),
      ['class.8a'],
    )
    const planned = await importer.continued(asked, { answers: { 'class.8a': 'create' } })
    assert.equal(planned.counts.change, 1)
    await importer.applied(planned)
    const { body } = await school.get('/api/students/1', registrar)
    const { body: made } = await school.get(`/api/classes/${body.data.class_id}`, registrar)
    assert.equal(made.data.label, '8a')
    await importer.undone(id)
  })

  it('moves a child whose number of a class was changed, though the class beside it was not', async () => {
    const to9 = await classIn(ada.replace(',7,', ',9,'))
    assert.deepEqual(to9, { column: 'class', from: 'Class 7', to: 'Class 9' })
  })

  it('refuses a row with two classes of which the child is in neither, and one of a new child', async () => {
    const both = await classIn(ada.replace(',7,Class 7,', ',8,Class 9,'))
    assert.equal(both.code, 'other_class')
    const isNew = await classIn(ada.replace(/^1,Ada Berg,1,7,/, ',Bo Dahl,2,8,'))
    assert.equal(isNew.code, 'other_class')
  })
})
