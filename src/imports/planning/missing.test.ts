import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { grant, personHolding, revokeAll } from '../../../test/grants.ts'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

describe('students who are missing from a file', () => {
  const held = [
    'students.import',
    'students.view',
    'students.create',
    'students.update',
    'students.sensitive',
  ] as const
  const header = 'name,admission_number,class,date_of_birth,email'

  it('are not those whom doubtful or refused rows may be, until that is decided', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const person = await personHolding(school, [held, [1, 2]])
    const importer = new Importer(school, person)
    const make = (name: string, admission_number: string, more: object = {}) =>
      school.student(registrar, { name, admission_number, class_id: 2, ...more })
    const born = { date_of_birth: '2014-03-09' }
    const [zoë, zoë2, ada, gone] = [
      await make('Zoë Doubt', 'm-1', born),
      await make('Zoë Doubt', 'm-2', born),
      await make('Ada Zero', '0042'),
      await make('Al Gone', 'm-4'),
    ]
    await make('Eva Refused', 'm-5')
    const rows = [
      'Zoë Doubt,m-10,Class 2,2014-03-09,',
      'Ada Zero,42,Class 2,,',
      'Eva Refused,m-5,Class 2,,no address',
      'New One,m-11,Class 1,,',
    ]
    const missing = async ({ id, counts }: ShownImport) => {
      const listed = (await importer.rows(id, '&outcome=missing')).map((row) => row.id)
      assert.equal(counts.missing, listed.length)
      return listed
    }
    const planned = await importer.planned(`${header}\n${rows.join('\n')}\n`, '?mode=mirror')
    assert.deepEqual([planned.counts.doubtful, planned.counts.refused], [2, 1])
    assert.deepEqual(await missing(planned), [gone])

    // Whoever sees less is told of no doubt, and so of nobody who is in one.
    await revokeAll(school, person)
    await grant(school, person, [held, [2]])
    assert.deepEqual(await missing(await importer.read(planned.id)), [ada, gone, zoë, zoë2])
    await revokeAll(school, person)
    await grant(school, person, [held, [1, 2]])

    const decisions = [
      { row: 2, decision: 'same', id: zoë },
      { row: 3, decision: 'new' },
    ]
    const decided = await importer.continued(await importer.read(planned.id), { decisions })
    assert.equal(decided.counts.doubtful, 0)
    assert.deepEqual(await missing(decided), [ada, gone, zoë2])
  })

  it('are not those whom a refused row may be that has not their number, and nobody else becomes doubtful for it', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const person = await personHolding(school, [held, [1, 2]])
    const importer = new Importer(school, person)
    const make = (name: string, admission_number: string, born: object) =>
      school.student(registrar, { name, admission_number, class_id: 2, ...born })
    const zero = await make('Ada Zero', '007-1', { date_of_birth: '2014-03-01' })
    const without = await make('Zoë Without', 'r-2', { date_of_birth: '2014-03-02' })
    const gone = await make('Al Gone', 'r-3', { date_of_birth: '2014-03-03' })
    const rows = [
      'Ada Zero,7-1,Class 2,2014-03-01,no address',
      'Without Zoë,,Class 2,2014-03-02,no address',
      'New One,r-10,Class 2,2014-03-04,no address',
      'New One,r-11,Class 2,2014-03-04,',
    ]
    const file = `${header}\n${rows.join('\n')}\n`
    const planned = await importer.planned(file, '?mode=mirror')
    const { refused, create, doubtful, missing } = planned.counts
    assert.deepEqual(
      { refused, create, doubtful, missing },
      { refused: 3, create: 1, doubtful: 0, missing: 1 },
    )
    const listed = async () => (await importer.rows(planned.id, '&outcome=missing')).map(({ id }) => id)
    assert.deepEqual(await listed(), [gone])
    const shown = await importer.rows(planned.id, '&outcome=refused')
    assert.doesNotMatch(JSON.stringify(shown), /mayBe/)
    for (const row of shown) for (const cell of row.cells) assert.equal(cell.ids, undefined)

    // Whoever sees less is told of nobody so.
    await revokeAll(school, person)
    await grant(school, person, [held, [2]])
    assert.deepEqual(await listed(), [zero, gone, without])

    const upsert = await importer.planned(file)
    assert.deepEqual([upsert.counts.refused, upsert.counts.create], [3, 1])
  })
})
