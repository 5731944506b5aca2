import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

const [view, work] = [
  ['students.view', 'students.sensitive'] as const,
  ['students.create', 'students.update', 'students.import'] as const,
]

describe('students whom an account sees, and into whose class it does not import', () => {
  let school: School
  let registrar: Person
  let clerk: Importer
  let id: number
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    clerk = new Importer(school, await personHolding(school, [view, 'all'], [work, [5]]))
    const zoe = { name: 'Zoë Müller', admission_number: '0042', class_id: 6, date_of_birth: '2014-03-09' }
    id = await school.student(registrar, zoe)
  })

  const header = 'admission_number,name,class,date_of_birth\n'
  const codesOf = async (importer: Importer, of: number) =>
    (await importer.rows(of)).map(({ outcome, cells }) => [
      outcome,
      cells.flatMap(({ code, ids }: { code?: string; ids?: number[] }) =>
        code ? [code, ...(ids ?? [])] : [],
      ),
    ])

  it('make rows doubtful that may be of them', async () => {
    const planned = await clerk.planned(
      `${header}x-9,Zoe Muller,Class 5,2014-03-09\n42,Ada Else,Class 5,\nx-10,Bo Else,Class 5,\n`,
    )
    assert.deepEqual(await codesOf(clerk, planned.id), [
      ['doubtful', ['same_name_and_date', id]],
      ['doubtful', ['similar_number', id]],
      ['create', []],
    ])
  })

  it('are not written: a row that is said to be of one of them is refused, and another decision takes that back', async () => {
    const planned = await clerk.planned(`${header}y-9,Zoe Muller,Class 5,2014-03-09\n`)
    const decided = await clerk.continued(planned, { decisions: [{ row: 2, decision: 'same', id }] })
    assert.deepEqual(await codesOf(clerk, planned.id), [['refused', ['permission_denied']]])
    const [{ cells }] = await clerk.rows(planned.id)
    assert.equal(cells[0].params.permission, 'students.import')
    const left = await clerk.continued(decided, { decisions: [{ row: 2, decision: 'leave_out' }] })
    assert.equal(left.counts.left_out, 1)
  })

  it('are told of to nobody who sees less than the account', async () => {
    const planned = await clerk.planned(`${header}z-9,Zoe Muller,Class 5,2014-03-09\n`)
    const other = new Importer(school, await personHolding(school, [view, [5]], [work, 'all']))
    assert.deepEqual(await codesOf(other, planned.id), [['refused', []]])
    const same = await clerk.continued(planned, { decisions: [{ row: 2, decision: 'same', id }] })
    const [row] = await other.rows(planned.id)
    assert.deepEqual([row.outcome, row.cells], ['refused', [{ column: 'row', hidden: true }]])
    await clerk.applied(await clerk.continued(same, { decisions: [{ row: 2, decision: 'new' }] }))
    const seesNames = await personHolding(
      ...([school, [['students.view'], 'all'], [['students.sensitive'], [5]], [work, 'all']] as const),
    )
    for (const reader of [other, new Importer(school, seesNames)]) {
      const [made] = await reader.rows(planned.id)
      assert.equal(made.outcome, 'create')
      assert.doesNotMatch(
        JSON.stringify(made),
        /same_name|hidden/,
        'no doubt is told, nor that there was one',
      )
    }
  })

  it('are named by who updates by number as ones of a class without the permission', async () => {
    const planned = await clerk.planned('admission_number,name\n0042,Zoe\n', '?mode=update')
    assert.deepEqual(await codesOf(clerk, planned.id), [['refused', ['permission_denied']]])
  })

  it('make a plan out of date where they come after it', async () => {
    const planned = await clerk.planned(`${header}c-1,Late Comer,Class 5,2015-01-02\n`)
    assert.equal(planned.counts.create, 1)
    const late = { name: 'Late Comer', admission_number: 'late', class_id: 6, date_of_birth: '2015-01-02' }
    await school.student(registrar, late)
    const { status, body } = await clerk.apply(planned)
    assert.deepEqual([status, body.code], [409, 'plan_outdated'])
    assert.match(body.detail, /^The plan is out of date: the record of 1 row changed or came since/)
    assert.equal((await clerk.read(planned.id)).counts.doubtful, 1)
  })
})
