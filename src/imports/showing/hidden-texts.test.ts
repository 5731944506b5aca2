import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type School } from '../../../test/school.ts'

describe('rows of a colleague’s import, read without students.sensitive', () => {
  let school: School
  let office: Importer
  let colleague: Importer
  before(async () => {
    school = await openSchool()
    office = new Importer(school, await school.person('registrar'))
    const held = ['students.import', 'students.view', 'students.create', 'students.update'] as const
    colleague = new Importer(school, await personHolding(school, [held, 'all']))
  })

  it('call no child by a cell of a sensitive field, whatever its heading says, and are not found by it', async () => {
    const admin = await school.person('administrator')
    const field = { label: 'Ward of', kind: 'text', sensitive: true }
    assert.equal((await school.post('/api/fields', field, admin)).status, 201)
    const file =
      'Admission number,Given name,Surname,Class\nh-1,Hal,Moravia,Class 3\nh-2,Hel,Moravia,Class 3\n'
    const asked = await office.read(await office.send(file))
    const answers = { 'column.Surname': 'fields.ward_of' }
    const { id } = await office.continued(asked, { answers })
    assert.deepEqual(
      (await office.rows(id)).map(({ called }) => called),
      ['Hal', 'Hel'],
    )
    assert.doesNotMatch(JSON.stringify(await colleague.rows(id)), /Moravia/)
    for (const reader of [office, colleague]) assert.deepEqual(await reader.rows(id, '&search=moravia'), [])
  })

  it('say that a cell stands beyond the headings, and not what it holds', async () => {
    const file =
      'Admission number,Name,Class\nb-1,Bea Yond,Class 3,has asthma\nb-2,Bo Yond,Class 3,has asthma\n'
    const { id } = await office.planned(file)
    assert.match(JSON.stringify(await office.rows(id)), /has asthma/)
    await colleague.continued(await colleague.read(id), {})
    const rows = await colleague.rows(id)
    assert.equal(rows[0].cells.at(-1).code, 'beyond_header')
    assert.doesNotMatch(JSON.stringify(rows), /asthma/)
    assert.deepEqual(await colleague.rows(id, '&group=true'), [], 'no rows are alike in what is not shown')
    assert.equal((await office.rows(id, '&group=true')).length, 1)
  })

  it('come with no samples where students of few classes are seen, though it is planned for who sees these', async () => {
    const holdings = [
      [['students.import', 'students.sensitive'], 'all'],
      [['students.view', 'students.create', 'students.update'], [3]],
    ] as const
    const ofClass = new Importer(school, await personHolding(school, ...holdings))
    const file = (name: string) => `Admission number,Name,Class,Crest\n${name},Cass ${name},Class 4,griffin\n`
    const { id } = await office.read(await office.send(file('s-1')))
    const keys = ({ questions }: ShownImport) => questions.map(({ key }: { key: string }) => key)
    const theirs = await ofClass.continued(await ofClass.read(id), {})
    assert.deepEqual(keys(theirs), ['column.Crest', 'class.Class 4'])
    assert.doesNotMatch(JSON.stringify(theirs), /Cass|griffin/)
    const own = await ofClass.read(await ofClass.send(file('s-2')))
    assert.match(JSON.stringify(own), /Cass s-2/)
  })
})
