import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { write } from '../../../src/events/write.ts'
import { grant, type Holding, personHolding, revokeAll } from '../../../test/grants.ts'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

/* What an account is told by a plan of its own, where it sees and may do different things for different classes. */

describe('a plan of someone who may do different things for different classes', () => {
  let school: School
  let registrar: Person
  let clerk: Person
  let importer: Importer
  const holdings: Holding[] = [
    [
      ['students.import', 'students.view', 'students.create'],
      [1, 2, 4],
    ],
    [['students.update'], [1, 2]],
    [['students.sensitive'], [1]],
  ]
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    clerk = await personHolding(school, ...holdings)
    importer = new Importer(school, clerk)
  })

  const make = (admission_number: string, class_id: number, more: object = {}) =>
    school.student(registrar, { name: `Own ${admission_number}`, admission_number, class_id, ...more })
  const move = async (id: number, class_id: number) => {
    const change = { as: registrar, body: { class_id }, headers: { 'if-match': '*' } }
    assert.equal((await school.send('PATCH', `/api/students/${id}`, change)).status, 200)
  }
  const regranted = async (...of: Holding[]) => {
    await revokeAll(school, clerk)
    await grant(school, clerk, ...of)
  }
  /** The rows of a plan: the number, the outcome, and what each cell says. */
  const toldOf = async ({ id }: Pick<ShownImport, 'id'>) =>
    (await importer.rows(id)).map(({ row, outcome, cells }) => [
      ...[row, outcome],
      cells.map((cell: { column: string; code?: string; hidden?: boolean }) =>
        [cell.column, cell.hidden ? 'hidden' : cell.code].join(' '),
      ),
    ])

  it('takes the number of a child out of sight for taken, whether the row equals that child or not', async () => {
    await make('h-1', 3)
    const planned = await importer.planned(
      'name,admission_number,class\nOwn h-1,h-1,Class 1\nElse,h-1x,Class 1\n'.replace('h-1x', 'H-1 '),
    )
    const rows = (await toldOf(planned)).map(([row, outcome, cells]) => [row, outcome, cells[0]])
    assert.deepEqual(rows, [
      [2, 'refused', 'admission_number taken'],
      [3, 'refused', 'admission_number taken'],
    ])
    const alone = await importer.planned('name,admission_number\nOwn h-1,h-1\n', '?mode=update')
    assert.deepEqual(await toldOf(alone), [[2, 'refused', ['admission_number unknown_student']]])
  })

  it('tells who has a number or an identifier, as far as its reader sees them', async () => {
    const ids = [
      await make('t-1', 2, { identifiers: [{ system: 'sis', value: 't-1' }] }),
      await make('t-2', 3, { identifiers: [{ system: 'sis', value: 't-2' }] }),
      await make('t-3', 2, { identifiers: [{ system: 'sis', value: 't-3' }] }),
      await make('t-4', 2),
    ]
    const [, , , old] = ids
    school.passSeconds(31 * 86_400)
    const later = { as: await school.person('registrar'), headers: { 'if-match': '*' } }
    const renumbered = { ...later, body: { admission_number: 't-5' } }
    assert.equal((await school.send('PATCH', `/api/students/${old}`, renumbered)).status, 200)
    school.passSeconds(-31 * 86_400)
    const file = 'name,admission_number,class,identifiers.sis\nNew,n-1,Class 1,t-1\nNew,n-2,Class 1,t-2\n'
    const planned = await importer.planned(`${file}New,n-3,Class 1,t-3\nNew,t-4,Class 1,\n`)
    const holders = async (as: Person) =>
      (await new Importer(school, as).rows(planned.id, '&outcome=refused')).map(({ cells }) =>
        cells.map(({ column, code, ids }: { column: string; code: string; ids?: number[] }) =>
          [column, code, ...(ids ?? [])].join(' '),
        ),
      )
    const sis = 'identifiers.sis taken'
    const told = [[`${sis} ${ids[0]}`], [sis], [`${sis} ${ids[2]}`], [`admission_number taken ${old}`]]
    assert.deepEqual(await holders(clerk), told)
    assert.deepEqual((await holders(registrar))[1], [`${sis} ${ids[1]}`], 'who sees all classes')
    const [group] = await importer.rows(planned.id, '&outcome=refused&group=true')
    assert.equal(group.count, 3, 'the same problem, whoever has the identifiers')
    await move(ids[0]!, 3)
    assert.deepEqual(await holders(clerk), [[sis], ...told.slice(1)])
    const created = await importer.planned('name,admission_number,class\nNew,t-3,Class 1\n', '?mode=create')
    const [row] = await importer.rows(created.id)
    assert.deepEqual(row.cells[0].ids, [ids[2]])
  })

  it('refuses a change, and a move, by each child’s class', async () => {
    await make('u-1', 4)
    await make('u-2', 2)
    const planned = await importer.planned(
      'admission_number,preferred_name,class\nu-1,Uma,\nu-2,,Class 1\n',
      '?mode=update',
    )
    assert.deepEqual(await toldOf(planned), [
      [2, 'refused', ['class permission_denied']],
      // In class 1 the clerk would see more of the child than now.
      [3, 'refused', ['class permission_denied']],
    ])
    const [, moved] = await importer.rows(planned.id)
    assert.match(moved.cells[0].detail, /see more/)
  })

  it('says the same of a broken cell whether the hidden record holds the same or not', async () => {
    await make('e-1', 2, { notes: '#REF!' })
    await make('e-2', 2)
    const planned = await importer.planned('admission_number,notes\ne-1,#REF!\ne-2,#REF!\n', '?mode=update')
    const [one, other] = (await toldOf(planned)).map(([, ...told]) => told)
    assert.deepEqual(one, other)
    assert.equal(one![0], 'refused')
  })

  it('hides what its account may not see in rows, groups and the file of refused rows', async () => {
    const file = [
      'name,admission_number,class,guardian_1_name,guardian_1_email,Mystery',
      'New A,r-1,Class 2,Eva,a@b.example,secret a',
      'New B,r-2,,Eva,no address,secret b',
      'New C,r-3,,,,secret c',
    ]
    const asking = await importer.read(await importer.send(`${file.join('\n')}\n`))
    const planned = await importer.continued(asking, { answers: { 'column.Mystery': 'leave_out' } })
    assert.deepEqual(await toldOf(planned), [
      [2, 'refused', ['guardian_1_name permission_denied', 'guardian_1_email permission_denied']],
      // Without a class it is not known whether the clerk may see what is sensitive there.
      [3, 'refused', ['guardian_1_email hidden', 'class required', 'guardian_1_name permission_denied']],
      [4, 'refused', ['class required']],
    ])
    const groups = await importer.rows(planned.id, '&group=true')
    assert.deepEqual(
      groups.map(({ count, first }) => [count, first.row]),
      [[1, 4]],
    )
    const { text } = await school.get(`/api/imports/${planned.id}/refused`, clerk)
    assert.doesNotMatch(text, /Eva|b\.example|no address|secret/)
    assert.match(text, /guardian_1_email has a fault that you may not see/)
    assert.match(
      text,
      /guardian_1_name needs the permission students.sensitive for the class.*New A,r-1,Class 2,,,/,
    )
    const whole = await school.get(`/api/imports/${planned.id}/refused`, registrar)
    assert.match(whole.text, /Eva,no address,secret b/)
  })

  it('hides doubts about children who have gone out of sight, and what was planned and decided for them', async () => {
    const ids = [
      await make('d-1', 1, { name: 'Zoë Gone', date_of_birth: '2014-03-09' }),
      await make('d-2', 1, { name: 'Ali Gone', date_of_birth: '2014-03-10' }),
      await make('d-3', 1, { name: 'Mia Gone' }),
    ]
    const doubtful = await importer.planned(
      [
        'name,admission_number,class,date_of_birth,preferred_name',
        'Zoë Gone,d-10,Class 1,2014-03-09,',
        'Ali Gone,d-20,Class 1,2014-03-10,',
        'Mia Gone,d-3,,,Mimi\n',
      ].join('\n'),
    )
    const decided = await importer.continued(doubtful, {
      decisions: [{ row: 3, decision: 'same', id: ids[1] }],
    })
    const [zoë, ali, mia] = await importer.rows(decided.id)
    const doubt = zoë.cells.at(-1)
    assert.deepEqual([doubt.code, doubt.ids], ['same_name_and_date', [ids[0]]])
    assert.deepEqual([ali.outcome, ali.id, ali.decision], ['change', ids[1], 'same'])
    assert.deepEqual(mia.cells, [{ column: 'preferred_name', from: null, to: 'Mimi' }])
    for (const id of ids) await move(id, 3)
    const told = (await importer.rows(decided.id)).map(({ id, decision, cells }) => [
      ...[id, decision, cells.at(-1)],
    ])
    assert.deepEqual(told, [
      [undefined, undefined, { column: 'date_of_birth', hidden: true }],
      [undefined, undefined, { column: 'admission_number', hidden: true }],
      [undefined, undefined, { column: 'preferred_name', hidden: true }],
    ])
  })

  it('has no doubt by a day of birth that its account may not see', async () => {
    await make('b-1', 1, { name: 'Ivo Seen', date_of_birth: '2014-04-01' })
    await make('b-2', 2, { name: 'Ivo Unseen', date_of_birth: '2014-04-02' })
    const planned = await importer.planned(
      [
        'name,admission_number,class,date_of_birth',
        'Ivo Seen,b-10,Class 1,2014-04-01',
        'Ivo Unseen,b-20,Class 1,2014-04-02\n',
      ].join('\n'),
    )
    const outcomes = (await importer.rows(planned.id)).map(({ outcome }) => outcome)
    assert.deepEqual(outcomes, ['doubtful', 'create'])
  })

  it('tells readers who see less of no row that is left out by hand, nor how far it is', async () => {
    const all = ['students.import', 'students.view', 'students.create', 'students.update'] as const
    await regranted([all, [1, 2]])
    await make('l-1', 2, { name: 'Lea Left' })
    const file = 'name,admission_number,class\nLea Left,l-10,Class 2\nNew Left,l-11,Class 1\n'
    const doubtful = await importer.planned(file)
    assert.equal(doubtful.counts.doubtful, 1)
    const decisions = [{ row: 2, decision: 'leave_out' }]
    const planned = await importer.continued(doubtful, { decisions })
    assert.equal(planned.counts.left_out, 1)
    await write(school.db, {}, (db) =>
      db
        .updateTable('imports')
        .set({
          state: 'applying',
          done: 1,
          total: 2,
          leased_by: 'nobody',
          leased_until: '2999-01-01T00:00:00.000Z',
        })
        .where('id', '=', planned.id)
        .execute(),
    )
    const read = async () => {
      const { body, headers } = await school.get(`/api/imports/${planned.id}`, clerk)
      return { progress: body.data.progress, counts: body.data.counts, tag: headers.etag }
    }
    const whole = await read()
    await regranted([all, [1]])
    const [one, rows] = [await read(), await toldOf(planned)]
    await regranted([all, [2]])
    const other = await read()
    assert.deepEqual(
      [whole.progress, one.progress],
      [
        { done: 1, total: 2 },
        { done: 0, total: null },
      ],
    )
    assert.deepEqual(rows, [
      [2, 'refused', ['row hidden']],
      [3, 'refused', ['row hidden']],
    ])
    assert.equal(one.counts.left_out, 0)
    assert.equal(new Set([whole.tag, one.tag, other.tag]).size, 3, 'each sees another import')
  })
})
