import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { type StagedFile, type StagedImport, stage } from '../../../test/staged-imports.ts'

describe('two new rows of one file whose numbers are like one number', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const header = ['admission_number', 'name', 'class_id', 'date_of_birth']
  const planOf = async (rows: StagedFile['rows'], more: Partial<StagedFile> = {}) => {
    const staged = await stage(school, registrar, { header, rows, ...more })
    return [staged, await staged.plan()] as const
  }
  /** Why rows are doubtful, and for which row or student. */
  const doubtsOf = async (staged: StagedImport) => {
    const rows = await staged.rows(registrar, { outcome: 'doubtful' })
    return rows.flatMap(({ row, cells }) =>
      cells.flatMap(({ code, ids, params }) => (code ? [[row, code, ids ?? params]] : [])),
    )
  }
  const twice = (row: number, other: number) => [row, 'similar_number_twice', { row: other }]

  const alike: Record<string, [one: string, other: string]> = {
    'leading zeros': ['0042', '42'],
    hyphens: ['n-1', 'n1'],
    'the script of the digits': ['n-2', 'n-٢'],
    'a hyphen between digits': ['2024-17', '202417'],
    'all of these': ['a-0٣-1', 'A3-1'],
  }
  for (const [what, [one, other]] of Object.entries(alike)) {
    it(`are doubtful where they differ by ${what} alone`, async () => {
      const [staged, counts] = await planOf([
        [one, 'Ada One', '1', ''],
        [other, 'Bo Two', '2', ''],
      ])
      assert.deepEqual(counts, { rows: 2, doubtful: 2 })
      const told = (await staged.rows(registrar)).map(({ cells }) => cells.at(-1))
      assert.deepEqual(
        told,
        [3, 2].map((row) => ({
          ...{ column: 'admission_number', code: 'similar_number_twice' },
          detail: `is that of row ${row} too, but for zeros, hyphens and other marks, or the script of its digits`,
          params: { row },
        })),
      )
    })
  }

  it('are two children where hyphens part their digits in two ways', async () => {
    const [, counts] = await planOf([
      ['1-12', 'Ada One', '1', ''],
      ['11-2', 'Bo Two', '2', ''],
    ])
    assert.deepEqual(counts, { rows: 2, create: 2 })
  })

  it('are two children where both name and date of birth are others, and doubtful where one is the same or not given', async () => {
    const born = ['2014-03-09', '2014-03-10'] as const
    const cases: [name: string, date: string, isDoubtful: boolean][] = [
      ['Bo Two', born[1], false],
      ['ADA ONE', born[1], true],
      ['Bo Two', born[0], true],
      ['Bo Two', '', true],
    ]
    for (const [name, date, isDoubtful] of cases) {
      const [, counts] = await planOf([
        ['c-01', 'Ada One', '1', born[0]],
        ['c-1', name, '2', date],
      ])
      assert.deepEqual(counts, { rows: 2, [isDoubtful ? 'doubtful' : 'create']: 2 }, `${name} ${date}`)
    }
  })

  it('are doubtful until each is another child or left out, and no doubles then', async () => {
    const rows = [
      ['0061', 'Ida Same', '3', ''],
      ['61', 'Ida Same', '3', ''],
      ['٦١', 'Ida Same', '3', ''],
    ]
    const [staged, counts] = await planOf(rows)
    assert.deepEqual(counts, { rows: 3, doubtful: 3 })
    assert.deepEqual(await doubtsOf(staged), [twice(2, 3), twice(3, 2), twice(4, 2)])
    await staged.decide(2, 'new')
    await staged.decide(4, 'leave_out')
    assert.deepEqual(await staged.plan(), { rows: 3, create: 1, doubtful: 1, left_out: 1 })
    await staged.decide(3, 'new')
    assert.deepEqual(await staged.plan(), { rows: 3, create: 2, left_out: 1 })
    assert.equal(await staged.apply(registrar), 'applied')
    const { body } = await school.get('/api/doubles', registrar)
    assert.equal(body.pagination.total, 0)
  })

  it('are told of the row with another number, not of the one with the same', async () => {
    const [staged] = await planOf([
      ['d-1', 'Ada One', '1', ''],
      ['D-1', 'Bo Two', '1', ''],
      ['d1', 'Cy Three', '1', ''],
    ])
    assert.deepEqual(await doubtsOf(staged), [
      twice(2, 4),
      [2, 'number_twice', { row: 3 }],
      twice(3, 4),
      [3, 'number_twice', { row: 2 }],
      twice(4, 2),
    ])
  })

  it('leave alone a row that matches a student, who is told of the other', async () => {
    const id = await school.student(registrar, { admission_number: '0077', name: 'Old Child', class_id: 4 })
    const [staged, counts] = await planOf([
      ['0077', 'Old Child', '4', ''],
      ['77', 'New Child', '4', ''],
    ])
    assert.deepEqual(counts, { rows: 2, unchanged: 1, doubtful: 1 })
    assert.deepEqual(await doubtsOf(staged), [[3, 'similar_number', [id]]])
  })

  it('say nothing in an import that makes nobody, nor of a row that is refused', async () => {
    const rows = [
      ['0088', 'Ada One', '1', ''],
      ['88', 'Bo Two', '1', ''],
      ['0089', 'Cy Three', '1', ''],
      ['89', 'Di Four', '99', ''],
    ]
    const [, update] = await planOf(rows, { mode: 'update' })
    assert.deepEqual(update, { rows: 4, refused: 4 })
    const [staged, counts] = await planOf(rows)
    assert.deepEqual(counts, { rows: 4, create: 1, doubtful: 2, refused: 1 })
    assert.deepEqual(await doubtsOf(staged), [twice(2, 3), twice(3, 2)])
  })

  it('are all doubtful where very many are like one number', async () => {
    const digits = ['7', '٧', '७', '৭', '๗']
    const rows = Array.from({ length: 200 }, (_, i) => [
      `z${'0'.repeat(i / digits.length)}${digits[i % digits.length]}`,
      ...[`Child ${i}`, '1', ''],
    ])
    const [, counts] = await planOf(rows)
    assert.deepEqual(counts, { rows: 200, doubtful: 200 })
  })
})
