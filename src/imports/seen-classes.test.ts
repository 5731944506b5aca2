import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant, type Holding, personHolding, revokeAll } from '../../test/grants.ts'
import { Importer, type ShownImport } from '../../test/import-calls.ts'
import { openSchool, type School } from '../../test/school.ts'

describe('a class into which an account may not import', () => {
  let school: School
  before(async () => {
    school = await openSchool()
  })

  const ofStudents = ['students.view', 'students.create', 'students.update', 'students.sensitive'] as const
  const forAll: Holding = [[...ofStudents, 'classes.manage'], 'all']
  const seeing: Holding = [['classes.view'], 'all']
  const importing: Holding = [['students.import'], [3]]
  const fileOf = (...lines: string[]) => `name,admission_number,class,notes\n${lines.join('\n')}\n`
  const sent = async (importer: Importer, ...lines: string[]) =>
    importer.read(await importer.send(fileOf(...lines)))
  const importerHolding = async (...held: Holding[]) =>
    new Importer(school, await personHolding(school, ...held))
  const faultsOf = async (importer: Importer, { id }: ShownImport) =>
    (await importer.rows(id)).map(({ outcome, cells }) => [
      outcome,
      ...cells.flatMap(({ column, detail }: { column: string; detail?: string }) =>
        detail === undefined ? [] : [`${column} ${detail}`],
      ),
    ])

  it('is not asked about where the account sees it, and its rows are refused with what is lacking', async () => {
    const importer = await importerHolding(forAll, seeing, importing)
    const planned = await sent(importer, 'Ada,se-1,Class 4,x', 'Bo,se-2,Class 3,x')
    assert.deepEqual([planned.state, planned.counts.create], ['planned', 1])
    assert.deepEqual(await faultsOf(importer, planned), [
      ['refused', 'class needs the permission students.import for the class'],
      ['create'],
    ])
    const byId = await importer.planned('name,admission_number,class_id\nAda,se-1,4\n')
    assert.deepEqual(await faultsOf(importer, byId), [
      ['refused', 'class needs the permission students.import for the class'],
    ])
  })

  it('takes nobody over whom the account may import', async () => {
    const registrar = await school.person('registrar')
    await school.student(registrar, { name: 'Mov Ed', admission_number: 'se-8', class_id: 3 })
    const importer = await importerHolding(forAll, seeing, importing)
    const planned = await sent(importer, 'Mov Ed,se-8,Class 4,x')
    assert.deepEqual(await faultsOf(importer, planned), [
      ['refused', 'class needs the permission students.import for the class'],
    ])
  })

  it('is as one that is not there for who does not see it', async () => {
    const importer = await importerHolding(forAll, [['classes.view'], [3]], importing)
    const asked = await sent(importer, 'Ada,se-3,Class 4,x', 'Bo,se-4,Class 40,x')
    assert.equal(asked.state, 'question')
    const told = asked.questions
      .filter(({ required }: ShownImport) => required)
      .map(({ text, choices }: ShownImport) => [
        text.replace(/"[^"]*"/, 'it'),
        choices.map(({ answer }: ShownImport) => answer),
      ])
    assert.deepEqual(told[0], told[1])
    assert.equal(told.length, 2)
    const byId = await importer.planned('name,admission_number,class_id\nAda,se-3,4\nBo,se-4,4711\n')
    const [there, none] = await faultsOf(importer, byId)
    assert.deepEqual(there, none)
  })

  it('is none that the account could make: a new one would be outside of what it imports', async () => {
    const importer = await importerHolding(forAll, seeing, importing)
    const asked = await sent(importer, 'Ada,se-5,Fresh,x')
    const [{ key, choices }] = asked.questions
    assert.deepEqual([key, choices.map(({ answer }: ShownImport) => answer)], ['class.Fresh', ['leave_out']])
    const { status, body } = await importer.patch(asked, { answers: { 'class.Fresh': 'create' } })
    assert.deepEqual(
      [status, body.errors[0].detail],
      [
        422,
        'must not be create: that needs the permission classes.manage for all classes, and to import into all',
      ],
    )
  })

  it('is told no more once the account sees it no more: the plan is made anew', async () => {
    const person = await personHolding(school, forAll, seeing, importing)
    const importer = new Importer(school, person)
    const planned = await sent(importer, 'Ada,se-6,Class 4,x', 'Bo,se-7,Class 3,x')
    await revokeAll(school, person)
    await grant(school, person, forAll, importing)
    const { body } = await importer.apply(planned, { refused: 'skip' })
    assert.equal(body.code, 'plan_outdated')
    assert.equal((await importer.read(planned.id)).state, 'question')
  })
})
