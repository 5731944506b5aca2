import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('students who were missing from an applied file', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const make = (name: string, admission_number: string, class_id: number) =>
    school.student(registrar, { name, admission_number, class_id })
  const change = async (id: number, body: object) => {
    const sent = { as: registrar, body, headers: { 'if-match': '*' } }
    const { status, text } = await school.send('PATCH', `/api/students/${id}`, sent)
    assert.equal(status, 200, text)
  }
  const missing = async ({ id }: ShownImport) =>
    (await importer.rows(id, '&outcome=missing')).map((row) => row.id)

  it('stay listed by class and name, but for those who were moved since, and without who came since', async () => {
    await make('Ina There', 'ma-1', 1)
    const [zoe, bo, moved, turned, gil, ada] = [
      await make('Zoe Stays', 'ma-2', 1),
      await make('Bo Stays', 'ma-3', 1),
      await make('Mo Moved', 'ma-4', 1),
      await make('Ti Turned', 'ma-5', 2),
      await make('Gil Stays', 'ma-6', 2),
      await make('Ada Stays', 'ma-7', 2),
    ]
    const elsewhere = await make('Eva Elsewhere', 'ma-8', 3)
    const rows = ['ma-1,Ina Here,Class 1', 'ma-9,New One,Class 2']
    const planned = await importer.planned(
      `admission_number,name,class\n${rows.join('\n')}\n`,
      '?mode=mirror',
    )
    const all = [bo, moved, zoe, ada, gil, turned]
    assert.deepEqual([await missing(planned), planned.counts.missing], [all, 6])
    const applied = await importer.applied(planned)
    assert.deepEqual([applied.state, applied.counts.missing], ['applied', 6])
    assert.deepEqual(await missing(applied), all)

    await change(moved, { class_id: 3 })
    await change(turned, { class_id: 1 })
    await change(zoe, { gender: '"class_id":[1,2]' })
    await change(elsewhere, { class_id: 2 })
    await make('Late Comer', 'ma-10', 1)
    assert.deepEqual(await missing(applied), [bo, zoe, ada, gil])
  })

  it('are those of now where the import wrote nothing, but for who came or was moved since', async () => {
    await make('Una Same', 'mb-1', 4)
    const left = await make('Lea Left', 'mb-2', 4)
    const planned = await importer.planned('admission_number,class\nmb-1,Class 4\n', '?mode=mirror')
    const applied = await importer.applied(planned)
    assert.deepEqual([applied.state, applied.change_set_id], ['applied', null])
    school.passSeconds(60)
    await make('Late Too', 'mb-3', 4)
    assert.deepEqual(await missing(applied), [left])
  })
})
