import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('a child who stands twice in a file', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const header = 'name,admission_number,class,date_of_birth'
  const planOf = (...rows: string[]) => importer.planned(`${[header, ...rows].join('\n')}\n`)
  const decided = (before: ShownImport, decision: string | null, ...rows: number[]) =>
    importer.continued(before, { decisions: rows.map((row) => ({ row, decision })) })
  const codesOf = ({ warnings }: ShownImport) => warnings.map(({ code }: { code: string }) => code)
  const leftOut = async ({ id }: ShownImport) =>
    (await importer.rows(id, '&outcome=left_out')).map(({ row, cells }) => [row, cells])

  it('is in neither row where both are left out, which the plan and the rows say', async () => {
    const planned = await planOf('Tom Twin,lt-1,Class 1,2014-03-09', 'tom twin,lt-2,Class 1,2014-03-09')
    assert.equal(planned.counts.doubtful, 2)
    const one = await decided(planned, 'leave_out', 2)
    assert.deepEqual([one.counts.create, one.counts.left_out, codesOf(one)], [1, 1, []])
    const both = await decided(one, 'leave_out', 3)
    assert.deepEqual([both.counts.create, both.counts.left_out], [0, 2])
    assert.deepEqual(both.warnings, [
      {
        code: 'twins_left_out',
        detail:
          '2 rows, the first of them row 2, are left out, and so are the rows that may be the same child. Neither row is imported. Keep one of them if the child is to be added.',
        params: { row: 2, rows: 2 },
      },
    ])
    const cell = (row: number) => ({
      ...{ column: 'row', code: 'left_out', params: { row } },
      detail: `is left out by hand, and so is row ${row}, which may be the same child: neither row is imported`,
    })
    assert.deepEqual(await leftOut(both), [
      [2, [cell(3)]],
      [3, [cell(2)]],
    ])
    const { text } = await importer.refused(both.id, '?outcome=left_out&language=en')
    assert.match(
      text,
      /Row: left out by your choice\. Row 3 may be the same child\. Neither row is imported\./,
    )
    const again = await decided(both, null, 3)
    assert.deepEqual([again.counts.create, again.counts.left_out, codesOf(again)], [1, 1, []])
    assert.deepEqual((await leftOut(again))[0]![1][0].params, undefined)
  })

  it('is told so by its number, and not where a third row with that is kept', async () => {
    const rows = ['Una One,lt-3,Class 1,', 'Una Other,LT-3,Class 2,']
    const both = await decided(await planOf(...rows), 'leave_out', 2, 3)
    assert.deepEqual(codesOf(both), ['twins_left_out'])
    const third = await decided(await planOf(...rows, 'Una Third,lt-3,Class 1,'), 'leave_out', 2, 3)
    assert.deepEqual([third.counts.create, third.counts.left_out, codesOf(third)], [1, 2, []])
  })

  it('is not told so where the child may be there already, or rows are of several children', async () => {
    const given = { name: 'Cy There', admission_number: 'lt-5', class_id: 1, date_of_birth: '2014-03-10' }
    await school.student(registrar, given)
    const there = await planOf('Cy There,lt-6,Class 1,2014-03-10', 'Cy There,lt-7,Class 1,2014-03-10')
    assert.deepEqual(codesOf(await decided(there, 'leave_out', 2, 3)), [])
    const others = await planOf('Di One,lt-8,Class 1,2014-03-11', 'Ed Two,lt-9,Class 1,2014-03-12')
    assert.deepEqual(codesOf(await decided(others, 'leave_out', 2, 3)), [])
  })

  it('is asked about where many equal rows are left out and two are not', async () => {
    const rows = Array.from({ length: 25 }, (_, i) => `Fu Many,lt-m${i}a,Class 1,2014-03-13`)
    const most = await decided(await planOf(...rows), 'leave_out', ...rows.slice(2).map((_, i) => i + 2))
    assert.deepEqual([most.counts.doubtful, most.counts.left_out, codesOf(most)], [2, 23, []])
    const [row] = await importer.rows(most.id, '&outcome=doubtful')
    assert.deepEqual([row.row, row.cells.at(-1).params], [25, { row: 26 }])
  })
})
