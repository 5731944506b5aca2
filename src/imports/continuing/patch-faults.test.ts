import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('PATCH /api/imports/{id}', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('administrator')
    importer = new Importer(school, registrar)
    await school.student(registrar, { name: 'Ada Known', admission_number: '0042', class_id: 1 })
  })

  const pointersOf = ({ errors }: { errors: { pointer: string; code: string }[] }) =>
    errors.map(({ pointer, code }) => [pointer, code])

  it('tells all that is wrong at once: of answers, decisions and the name of a mapping', async () => {
    const first = await importer.planned('name,admission_number,class,gender\nBo New,pf-1,Class 1,m\n')
    await importer.continued(first, { mapping_name: 'Taken' })
    const file = 'name,admission_number,class\nAda Known,42,Class 1\nCy New,pf-2,Class 1\n'
    const planned = await importer.planned(file)
    const { status, body } = await importer.patch(planned, {
      answers: { clear: ' ', nonsense: 'x' },
      decisions: [
        { row: 2, decision: 'same' },
        { row: 3, decision: 'same', id: 4_711 },
        { row: 99, decision: 'leave_out' },
      ],
      mapping_name: 'taken',
    })
    assert.equal(status, 422)
    assert.deepEqual(pointersOf(body), [
      ['/answers/clear', 'invalid'],
      ['/answers/nonsense', 'unknown_member'],
      ['/decisions/0/id', 'required'],
      ['/decisions/1/row', 'wrong_outcome'],
      ['/decisions/1/id', 'unknown_student'],
      ['/decisions/2/row', 'unknown_row'],
      ['/mapping_name', 'taken'],
    ])
    const accepted = body.errors.flatMap(
      ({ params }: { params?: { accepted?: string[] } }) => params?.accepted ?? [],
    )
    assert.ok(accepted.includes('doubtful'), 'a program is told of which rows this is decided')
    assert.equal((await importer.read(planned.id)).tag, planned.tag, 'nothing was changed')
    const decisions = Array.from({ length: 500 }, (_, i) => ({ row: 1_000 + i, decision: 'leave_out' }))
    const many = (await importer.patch(planned, { answers: { nonsense: 'x' }, decisions })).body
    assert.equal(many.errors.length, 100)
    assert.deepEqual(pointersOf(many)[0], ['/answers/nonsense', 'unknown_member'])
  })

  it('does not tell who may not name a mapping whether the name is taken', async () => {
    const held = ['students.import', 'students.view', 'students.create', 'students.update'] as const
    const teacher = new Importer(school, await personHolding(school, [held, [1]]))
    const planned = await teacher.planned('name,admission_number,class\nDi New,pf-3,Class 1\n')
    for (const mapping_name of ['Taken', 'Free']) {
      const { status, body } = await teacher.patch(planned, { mapping_name })
      assert.deepEqual([status, body.code], [403, 'permission_denied'])
    }
  })
})
