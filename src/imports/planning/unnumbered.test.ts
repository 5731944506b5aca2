import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { type StagedFile, stage } from '../../../test/staged-imports.ts'

describe('the plan of a file without admission numbers', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const header = ['name', 'class_id', 'date_of_birth']
  const planOf = async (
    rows: StagedFile['rows'],
    { as = registrar, ...more }: Partial<StagedFile> & { readonly as?: Person } = {},
  ) => {
    const settings = { admission_number: 'u-*0001' }
    const staged = await stage(school, as, { header, rows, settings, ...more })
    return [staged, await staged.plan()] as const
  }
  /** Why rows are doubtful, and about whom. */
  const doubtsOf = async (staged: Awaited<ReturnType<typeof stage>>, as = registrar) => {
    const rows = await staged.rows(as, { outcome: 'doubtful' })
    const told = rows.map(({ row, cells }) =>
      cells.flatMap(({ code, ids, params }) => (code ? [[row, code, ids ?? params]] : [])),
    )
    return told.flat()
  }

  it('doubts a child whose day of birth was corrected, and takes the correction', async () => {
    const id = await school.student(registrar, {
      ...{ name: 'Ann Right', class_id: 3, date_of_birth: '2014-03-09' },
    })
    const [staged, counts] = await planOf([['ann right', '3', '2014-09-03']])
    assert.deepEqual(counts, { rows: 1, doubtful: 1 })
    const [row] = await staged.rows(registrar)
    assert.deepEqual(row!.cells.at(-1), {
      ...{ column: 'date_of_birth', code: 'same_name_and_class_other_date', ids: [id] },
      detail: 'is another than that of a student of this name and class',
    })
    await staged.decide(2, 'same', id)
    assert.deepEqual(await staged.plan(), { rows: 1, change: 1 })
    const [changed] = await staged.rows(registrar)
    assert.deepEqual(changed!.cells.at(-1), {
      ...{ column: 'date_of_birth', from: '2014-03-09', to: '2014-09-03' },
    })
  })

  it('does not name a namesake with another date where somebody has the name and the date', async () => {
    const born = (date_of_birth: string) => {
      const given = { name: 'Bea Both', class_id: 3, date_of_birth }
      return school.student(registrar, given)
    }
    const [one] = [await born('2014-01-01'), await born('2014-01-02')]
    const [staged] = await planOf([['Bea Both', '3', '2014-01-01']])
    assert.deepEqual(await doubtsOf(staged), [[2, 'same_name_and_date', [one]]])
  })

  it('doubts rows of one name and class, until each is another child or one is left out', async () => {
    const rows = [
      ['Twin Ona', '4', ''],
      ['twin ona', '4', ''],
      ['Twin Ona', '5', ''],
    ]
    const [staged, counts] = await planOf(rows)
    assert.deepEqual(counts, { rows: 3, create: 1, doubtful: 2 })
    assert.deepEqual(await doubtsOf(staged), [
      [2, 'name_and_class_twice', { row: 3 }],
      [3, 'name_and_class_twice', { row: 2 }],
    ])
    const [first] = await staged.rows(registrar)
    assert.deepEqual(
      [first!.cells.at(-1)!.column, first!.cells.at(-1)!.detail],
      ['name', 'and the class are those of row 3 too'],
    )
    await staged.decide(2, 'new')
    await staged.decide(3, 'leave_out')
    assert.deepEqual(await staged.plan(), { rows: 3, create: 2, left_out: 1 })
    const [, update] = await planOf(rows, { mode: 'update' })
    assert.deepEqual(update, { rows: 3, refused: 3 })
  })

  it('doubts rows of which one has no date, and none whose dates differ', async () => {
    const [staged, counts] = await planOf([
      ['Uno Dos', '4', '2014-01-01'],
      ['Uno Dos', '4', '2014-01-02'],
      ['Una Dos', '4', '2014-01-01'],
      ['Una Dos', '4', ''],
      ['Una Dos', '4', '2014-01-02'],
    ])
    assert.deepEqual(counts, { rows: 5, create: 2, doubtful: 3 })
    assert.deepEqual(await doubtsOf(staged), [
      [4, 'name_and_class_twice', { row: 5 }],
      [5, 'name_and_class_twice', { row: 4 }],
      [6, 'name_and_class_twice', { row: 5 }],
    ])
  })

  it('tells whoever may not see dates of birth nothing about them', async () => {
    const clerk = await personHolding(school, [
      ['students.view', 'students.create', 'students.update', 'students.import'],
      [9],
    ])
    const hidden = { class_id: 9, date_of_birth: '2013-01-01' }
    const [dated, undated] = [
      await school.student(registrar, { name: 'Cy Dated', ...hidden }),
      await school.student(registrar, { name: 'Cy Undated', class_id: 9 }),
    ]
    const names = ['Cy Dated', 'Cy Undated']
    const plain = names.map((name) => [name, '9', ''])
    const [staged] = await planOf(plain, { as: clerk })
    assert.deepEqual(await doubtsOf(staged, clerk), [
      [2, 'same_name_and_class', [dated]],
      [3, 'same_name_and_class', [undated]],
    ])
    for (const mode of ['upsert', 'update'] as const) {
      const guessed = names.map((name) => [name, '9', '2013-01-02'])
      const [, counts] = await planOf(guessed, { as: clerk, mode })
      assert.deepEqual(counts, { rows: 2, refused: 2 })
    }
  })
})
