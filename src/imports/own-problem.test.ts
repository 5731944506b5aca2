import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

describe('a column of the school that is headed problem', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const headings = 'admission_number,problem,name,class,date_of_birth'

  it('is asked about, and keeps its values in the file of refused rows, which takes the answers over', async () => {
    const rows = ['op-1,allergic to nuts,Ada,Class 1,2014-02-28', 'op-2,needs glasses,Zoë,Class 1,2014-02-31']
    const asked = await importer.read(await importer.send([headings, ...rows].join('\n')))
    assert.deepEqual(
      asked.questions.map(({ key }: { key: string }) => key),
      ['column.problem'],
    )
    const planned = await importer.continued(asked, { answers: { 'column.problem': 'notes' } })
    assert.deepEqual([planned.counts.create, planned.counts.refused], [1, 1])
    await importer.applied(planned, { refused: 'skip' })
    const { text } = await importer.refused(planned.id)
    assert.match(text, /^\uFEFFproblem,admission_number,problem,name/)
    assert.match(text, /,op-2,needs glasses,/)
    const again = await importer.planned(text)
    assert.equal(again.counts.refused, 1)
    const twice = (await importer.refused(again.id)).text
    assert.equal(twice, text, 'the reasons stand there once')
    const corrected = await importer.planned(text.replace('2014-02-31', '2014-03-01'))
    assert.deepEqual([corrected.counts.create, corrected.warnings.length], [1, 1])
    await importer.applied(corrected)
    const { body } = await school.get('/api/students?search=op-2&columns=notes', registrar)
    assert.deepEqual(
      body.data.map(({ notes }: { notes: string }) => notes),
      ['needs glasses'],
    )
  })

  it('is none in the first place: there it has the reasons of refused rows, whatever is answered', async () => {
    const file = `problem,admission_number,name,class\nasthma,op-3,Eve,Class 1`
    const planned = await importer.planned(file)
    assert.match(planned.warnings[0]!.detail, /^The first column, "problem", is not imported/)
    const { status, body } = await importer.patch(planned, { answers: { 'column.problem': 'notes' } })
    assert.deepEqual([status, body.errors[0].pointer], [422, '/answers/column.problem'])
    assert.match(body.errors[0].detail, /must be leave_out/)
    const kept = await importer.patch(planned, { answers: { 'column.name': 'created_at' } })
    assert.equal(kept.status, 422, 'nor is one that the server keeps')
  })

  it('is asked about where only its case tells it, and so are its refused rows', async () => {
    const file = 'Problem,admission_number,name,class,date_of_birth\nasthma,op-4,Mia,Class 1,2014-02-31'
    const asked = await importer.read(await importer.send(file))
    const planned = await importer.continued(asked, { answers: { 'column.Problem': 'notes' } })
    await importer.applied(planned, { refused: 'skip' })
    const corrected = (await importer.refused(planned.id)).text.replace('2014-02-31', '2014-03-01')
    assert.equal((await importer.planned(corrected)).counts.create, 1)
  })
})
