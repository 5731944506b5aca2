import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { inline, sheetOf, writtenWorkbook } from '../../../test/workbooks.ts'

describe('of an import, whoever does not see what is sensitive', () => {
  let school: School
  let admin: Person
  let importer: Importer
  let clerks: Importer
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
    importer = new Importer(school, admin)
    const clerk = await personHolding(school, [
      ['students.view', 'students.create', 'students.update', 'students.import', 'classes.view'],
      'all',
    ])
    clerks = new Importer(school, clerk)
  })

  async function makeField(): Promise<number> {
    const field = { key: 'diagnosis', label: 'Diagnosis', kind: 'text', sensitive: true }
    const { status, body } = await school.post('/api/fields', field, admin)
    assert.equal(status, 201)
    return body.data.id
  }
  const removeField = async (id: number) => {
    const { status } = await school.send('DELETE', `/api/fields/${id}`, {
      as: admin,
      headers: { 'if-match': '*' },
    })
    assert.ok(status < 300)
  }

  it('is not shown the cells of a sensitive field that is gone', async () => {
    for (const isUndone of [false, true]) {
      const field = await makeField()
      const file = `name,admission_number,class,fields.diagnosis\nAda,s-${isUndone},Class 1,Epilepsy\n`
      const planned = await importer.planned(file)
      if (isUndone) {
        await importer.applied(planned)
        await importer.undone(planned.id)
      }
      assert.match(JSON.stringify(await importer.rows(planned.id)), /Epilepsy/)
      await removeField(field)
      const shown = await clerks.rows(planned.id)
      assert.equal(shown.length, 1)
      assert.doesNotMatch(JSON.stringify(shown), /Epilepsy/)
    }
  })

  it('does not learn whether a value is right that is compared with one', async () => {
    const field = await makeField()
    const given = { fields: { diagnosis: 'Epilepsy' } }
    const id = await school.student(admin, { name: 'Bo', admission_number: 's-3', class_id: 1, ...given })
    const planned = await importer.planned(
      'admission_number,fields.diagnosis\ns-3,Epilepsy\n',
      '?mode=update',
    )
    assert.equal((await importer.rows(planned.id))[0]!.outcome, 'unchanged')
    const emptied = { as: admin, body: { fields: { diagnosis: null } }, headers: { 'if-match': '*' } }
    await school.send('PATCH', `/api/students/${id}`, emptied)
    await removeField(field)
    assert.equal((await clerks.rows(planned.id))[0]!.outcome, 'refused')
  })

  it('does not learn it of a column without a heading either', async () => {
    const born = { date_of_birth: '2014-03-09' }
    await school.student(admin, { name: 'Cy', admission_number: 's-4', class_id: 1, ...born })
    const rows = [
      ['name', 'admission_number', 'class'],
      ['Cy', 's-4', 'Class 1', '2014-03-09'],
    ]
    const file = await writtenWorkbook({ sheets: [sheetOf(rows.map((row) => row.map(inline)))] })
    const asked = await importer.read(await importer.send(file))
    const answers = { [asked.questions[0]!.key]: 'date_of_birth' }
    const planned = await importer.continued(asked, { answers })
    assert.equal((await importer.rows(planned.id))[0]!.outcome, 'unchanged')
    assert.equal((await clerks.rows(planned.id))[0]!.outcome, 'refused')
  })

  it('is told no names of a file with a question, where they see few classes', async () => {
    const file =
      'given_name,family_name,admission_number,class\nGrace,Hopper,g-1,Class 1\nAlan,Turing,g-2,Class 99\n'
    const id = await importer.send(file)
    assert.match(JSON.stringify((await importer.read(id)).questions), /Hopper/)
    const few = await personHolding(
      school,
      [['students.import', 'students.create', 'students.update'], 'all'],
      [['students.view'], [3]],
    )
    const { questions } = await new Importer(school, few).read(id)
    assert.ok(questions.some(({ key }: { key: string }) => key === 'name_order'))
    assert.doesNotMatch(JSON.stringify(questions), /Hopper|Turing/)
  })
})
