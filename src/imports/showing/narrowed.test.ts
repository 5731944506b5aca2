import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant, type Holding, personHolding, revokeAll } from '../../../test/grants.ts'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

const held = [
  'students.import',
  'students.view',
  'students.create',
  'students.update',
  'students.sensitive',
] as const

describe('a plan that is read by someone who sees less than it was made with', () => {
  let school: School
  let registrar: Person
  let teacher: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    const student = (number: string, class_id: number, more: object = {}) =>
      school.student(registrar, { name: `Ada ${number}`, admission_number: number, class_id, ...more })
    await student('n-1', 1)
    await student('n-2', 2)
    await student('n-3', 2)
    await student('n-4', 1)
    await student('n-5', 2)
    await student('n-6', 2, { date_of_birth: '2014-03-09', name: 'Zoë Doubt' })
    teacher = await personHolding(school, [held, [1, 2]])
    importer = new Importer(school, teacher)
  })

  const rows = [
    'name,admission_number,class,date_of_birth',
    'Ada Changed,n-1,Class 1,',
    'Ada Changed,n-2,Class 2,',
    'Ada n-3,n-3,Class 2,',
    'Zoë Doubt,n-60,Class 1,2014-03-09',
    'New One,n-7,Class 1,',
    'New Two,n-8,Class 2,',
  ]
  const file = `${rows.join('\n')}\n`

  const regranted = async (...holdings: Holding[]) => {
    await revokeAll(school, teacher)
    await grant(school, teacher, ...holdings)
  }

  /** How many rows of each outcome are listed. */
  async function listed(id: number): Promise<Record<string, number>> {
    const outcomes = Map.groupBy(await importer.rows(id), ({ outcome }) => outcome)
    return Object.fromEntries([...outcomes].map(([outcome, all]) => [outcome, all.length]))
  }

  const told = ({ counts }: ShownImport) =>
    Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

  it('counts and lists rows of what they do not see as refused, as a plan of their own does', async () => {
    const planned = await importer.planned(file, '?mode=mirror')
    assert.deepEqual(told(planned), { rows: 6, create: 2, change: 2, unchanged: 1, doubtful: 1, missing: 3 })
    await regranted([held, [1]])
    const narrow = await importer.read(planned.id)
    assert.notEqual(narrow.tag, planned.tag)
    assert.deepEqual(told(narrow), { rows: 6, create: 1, change: 1, refused: 4, missing: 1 })
    assert.deepEqual(await listed(planned.id), { create: 1, change: 1, refused: 4 })
    const hidden = (await importer.rows(planned.id, '&outcome=refused')).map(({ row, id, cells }) => [
      ...[row, id, JSON.stringify(cells)],
    ])
    const nothing = '[{"column":"row","hidden":true}]'
    assert.deepEqual(
      hidden,
      [3, 4, 5, 7].map((row) => [row, undefined, nothing]),
    )
    assert.deepEqual((await importer.rows(planned.id, '&column=name')).length, 2)
    const stale = await importer.apply(planned)
    assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'])
    const own = await importer.continued(narrow, {})
    const [asked] = own.questions
    assert.deepEqual([own.state, asked.key], ['question', 'class.Class 2'], 'to them, there is no such class')
    const left = await importer.continued(own, { answers: { 'class.Class 2': 'leave_out' } })
    // The doubt is gone: it is about a child whom they do not see.
    assert.deepEqual(told(left), { rows: 6, create: 2, change: 1, left_out: 3, missing: 1 })
    await regranted([held, [1, 2]])
    assert.deepEqual(told(await importer.read(planned.id)), told(left), 'whoever sees more sees it as it is')
  })

  it('proposes no class that they do not see, and no number that follows theirs', async () => {
    await regranted([held, [1, 2]])
    const asking = await importer.read(await importer.send('name,class\nAda,Class 21\n'))
    const answers = ({ questions }: ShownImport): Record<string, unknown[]> =>
      Object.fromEntries(
        questions.map(({ key, choices }: { key: string; choices: { answer: unknown }[] }) => [
          key,
          choices.map(({ answer }) => answer),
        ]),
      )
    const whole = answers(asking)
    assert.ok(whole['class.Class 21']!.includes(1) && whole['class.Class 21']!.includes(2))
    assert.equal(whole.admission_number!.length, 1)
    await regranted([held, [1]])
    const narrow = await importer.read(asking.id)
    assert.notEqual(narrow.tag, asking.tag)
    const some = answers(narrow)
    assert.ok(some['class.Class 21']!.includes(1) && !some['class.Class 21']!.includes(2))
    assert.deepEqual(some.admission_number, [])
  })

  it('tells of no child that it has made and that went to a class that they do not see', async () => {
    await regranted([held, [1, 2]])
    const planned = await importer.planned(
      file.split('\n').slice(0, 1).concat('Mo Ved,v-1,Class 1,\n').join('\n'),
    )
    assert.equal((await importer.applied(planned)).state, 'applied')
    const [row] = await importer.rows(planned.id)
    const { status } = await school.send('PATCH', `/api/students/${row!.id}`, {
      as: registrar,
      body: { class_id: 2 },
      headers: { 'if-match': '*' },
    })
    assert.equal(status, 200)
    await regranted([held, [1]])
    const hidden = await importer.rows(planned.id)
    assert.deepEqual(
      hidden.map(({ outcome, id }) => [outcome, id]),
      [['refused', undefined]],
    )
  })

  it('is shown as it is to whoever sees all of it, though it is made for somebody else', async () => {
    await regranted([held, [1, 2]])
    const planned = await importer.planned(file.replaceAll('n-', 'm-'))
    const office = new Importer(school, registrar)
    assert.deepEqual(told(await office.read(planned.id)), told(planned))
  })
})
