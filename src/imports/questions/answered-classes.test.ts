import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('an answer on a class, where somebody makes a class of that label meanwhile', () => {
  let school: School
  let office: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    office = await school.person('administrator')
    importer = new Importer(school, office)
  })

  const make = async (label: string): Promise<number> => {
    const { status, body, text } = await school.post('/api/classes', { label }, office)
    assert.equal(status, 201, text)
    return body.data.id
  }
  const answered = async (label: string, answer: string | number) => {
    const file = `name,admission_number,class\nAda ${label},a-${label},${label}\n`
    const asked = await importer.read(await importer.send(file))
    const planned = await importer.continued(asked, { answers: { [`class.${label}`]: answer } })
    assert.equal(planned.state, 'planned')
    return planned
  }
  /** Applies the plan, which is outdated, and the one that is made in its place. */
  const appliedAnew = async (planned: ShownImport) => {
    const { status, body } = await importer.apply(planned)
    assert.deepEqual([status, body.code], [409, 'plan_outdated'])
    return importer.applied(await importer.read(planned.id))
  }
  const classOf = async (label: string) => {
    const { body } = await school.get(`/api/students?search=a-${label}`, office)
    return body.data[0]?.class
  }

  it('leaves the rows out where it said so', async () => {
    const planned = await answered('4w', 'leave_out')
    await make('4w')
    const applied = await appliedAnew(planned)
    assert.deepEqual([applied.state, applied.answers], ['applied', { 'class.4w': 'leave_out' }])
    assert.deepEqual([applied.counts.left_out, await classOf('4w')], [1, undefined])
  })

  it('is the class that it named, also for a label in other letters', async () => {
    const planned = await answered('4x', 4)
    await make('4X')
    await appliedAnew(planned)
    assert.equal(await classOf('4x'), 'Class 4')
  })

  it('is the class that is there by then, where it said to create it', async () => {
    const planned = await answered('4y', 'create')
    await make('4y')
    await appliedAnew(planned)
    assert.equal(await classOf('4y'), '4y')
  })

  it('can be changed, taken back and given again', async () => {
    const planned = await answered('4z', 4)
    await make('4z')
    const [left, other] = ['leave_out', 5]
    const leftOut = await importer.continued(planned, { answers: { 'class.4z': left } })
    assert.equal(leftOut.counts.left_out, 1)
    const inOther = await importer.continued(leftOut, { answers: { 'class.4z': other } })
    const classIn = async () => (await importer.rows(planned.id))[0].cells.at(-1).to
    assert.equal(await classIn(), 'Class 5')
    const back = await importer.continued(inOther, { answers: { 'class.4z': null } })
    assert.deepEqual([back.state, await classIn()], ['planned', '4z'])
    const again = await importer.continued(back, { answers: { 'class.4z': left } })
    assert.equal(again.counts.left_out, 1)
  })
})

it('a class cell with the text that clears values is not asked about, and its row is refused for want of a class', async () => {
  const school = await openSchool()
  const importer = new Importer(school, await school.person('administrator'))
  const file = 'name,admission_number,class,notes\nJoi Ned,cl-1,-,hello\nJo Nt,cl-2,Class 6,-\n'
  const asked = await importer.read(await importer.send(file))
  assert.deepEqual(
    asked.questions.map(({ key }: { key: string }) => key),
    ['class.-', 'clear'],
  )
  const planned = await importer.continued(asked, { answers: { clear: '-' } })
  assert.deepEqual([planned.state, planned.questions], ['planned', []])
  const [row] = await importer.rows(planned.id, '&outcome=refused')
  const faults = row.cells.flatMap(({ column, code }: { column: string; code?: string }) =>
    code ? [[column, code]] : [],
  )
  assert.deepEqual([faults, planned.counts.create], [[['class', 'required']], 1])
})
