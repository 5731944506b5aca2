import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant, personHolding, revokeAll } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

const held = ['students.import', 'students.view', 'students.create', 'students.update'] as const

describe('the children of rows that are not imported', () => {
  let school: School
  let registrar: Person
  let clerk: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    clerk = await personHolding(school, [held, [1, 2]])
  })

  const whole = [
    'name,admission_number,class',
    'Mia Faulty,c-1,Class 1,too many',
    'Zoë Out,c-2,6X',
    ',c-3,6X',
    'Ali In,c-4,Class 2\n',
  ].join('\n')
  const told = async (importer: Importer, id: number) =>
    (await importer.rows(id)).map(({ row, outcome, called, cells: [{ column, to, code, hidden }] }) => [
      ...[row, outcome, called],
      hidden ? 'hidden' : [column, to, code].join(' '),
    ])

  it('are named by the question on their class, and by their rows, with the reason', async () => {
    const importer = new Importer(school, registrar)
    const asking = await importer.read(await importer.send(whole))
    const [question] = asking.questions
    assert.deepEqual([question.key, question.rows, question.samples], ['class.6X', 2, ['Zoë Out']])
    const planned = await importer.continued(asking, { answers: { 'class.6X': 'leave_out' } })
    assert.deepEqual(await told(importer, planned.id), [
      [2, 'refused', 'Mia Faulty', 'row too many beyond_header'],
      [3, 'left_out', 'Zoë Out', 'class 6X left_out'],
      [4, 'left_out', undefined, 'class 6X left_out'],
      [5, 'create', 'Ali In', 'name Ali In '],
    ])
  })

  it('are asked about again in the next file: one that is left out may be wanted then', async () => {
    const importer = new Importer(school, registrar)
    const asking = await importer.read(await importer.send(whole.replaceAll('c-', 'e-')))
    const planned = await importer.continued(asking, { answers: { 'class.6X': 'leave_out' } })
    assert.equal((await importer.applied(planned, { refused: 'skip' })).state, 'applied')
    const next = await importer.read(await importer.send(whole.replaceAll('c-', 'f-')))
    assert.deepEqual(
      next.questions.map(({ key, required }: { key: string; required: boolean }) => [key, required]),
      [
        ['class.6X', true],
        ['clear', false],
      ],
    )
  })

  it('are named by the parts of the name, in the order that was answered', async () => {
    const importer = new Importer(school, registrar)
    const file = 'family_name,given_name,admission_number,class\nMüller,Zoë,g-1,6X\n'
    const asking = await importer.read(await importer.send(file))
    const answers = { 'class.6X': 'leave_out', name_order: 'family_first' }
    const planned = await importer.continued(asking, { answers })
    assert.deepEqual(await told(importer, planned.id), [[2, 'left_out', 'Müller Zoë', 'class 6X left_out']])
  })

  it('are named by the label, where they are classes', async () => {
    const importer = new Importer(school, await school.person('administrator'))
    const planned = await importer.planned('label\nClass 1\n7N\n', '?kind=classes&mode=create')
    const called = (await importer.rows(planned.id)).map((row) => [row.outcome, row.called])
    assert.deepEqual(called, [
      ['refused', 'Class 1'],
      ['create', '7N'],
    ])
  })

  it('are not named to whoever may not be told of their rows', async () => {
    const importer = new Importer(school, clerk)
    const asking = await importer.read(await importer.send(whole.replaceAll('c-', 'h-')))
    const narrowed = async () => {
      await revokeAll(school, clerk)
      await grant(school, clerk, [held, [1]])
      return importer.read(asking.id)
    }
    const [question] = (await narrowed()).questions
    assert.deepEqual([question.key, question.samples], ['class.6X', undefined])
    await revokeAll(school, clerk)
    await grant(school, clerk, [held, [1, 2]])
    const answers = { 'class.6X': 'leave_out' }
    const planned = await importer.continued(await importer.read(asking.id), { answers })
    await narrowed()
    assert.deepEqual(await told(importer, planned.id), [
      [2, 'refused', 'Mia Faulty', 'row  beyond_header'], // it may hold anything
      [3, 'left_out', 'Zoë Out', 'class 6X left_out'],
      [4, 'left_out', undefined, 'class 6X left_out'],
      [5, 'refused', undefined, 'hidden'],
    ])
  })
})
