import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Holding, personHolding } from '../../test/grants.ts'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type School } from '../../test/school.ts'

describe('equal changes of an import', () => {
  let school: School
  let id: number
  before(async () => {
    school = await openSchool()
    const registrar = await school.person('registrar')
    const classes = [5, 5, 6, 6, 6]
    for (const [i, class_id] of classes.entries())
      await school.student(registrar, { admission_number: `g-${i}`, name: `Gr Oup${i}`, class_id })
    const lines = [
      ...classes.map((_, i) => (i % 2 === 0 ? `g-${i},,d,` : `g-${i},,d,2014-03-09`)),
      'g-8,Ne Wone,,\n',
      'g-9,,d,',
    ]
    const file = `admission_number,name,preferred_name,date_of_birth\n${lines.join('\n')}\n`
    const importer = new Importer(school, registrar)
    id = (await importer.planned(file, '?mode=update')).id
  })

  /** How many rows are in each group, and which columns. */
  async function groupsFor(...holdings: Holding[]) {
    const reader = await personHolding(school, [['students.import'], 'all'], ...holdings)
    const path = `/api/imports/${id}/rows?group=true`
    const { data, pagination } = (await school.get(path, reader)).body
    assert.equal(pagination.total, data.length)
    return data.map(({ count, first }: { count: number; first: { cells: { column: string }[] } }) => {
      assert.doesNotMatch(JSON.stringify(first), /hidden/)
      return [count, ...first.cells.map(({ column }) => column)]
    })
  }

  const [plain, dated, unknown] = [
    ['preferred_name'],
    ['preferred_name', 'date_of_birth'],
    ['admission_number'],
  ]

  it('are counted of rows that the reader sees wholly', async () => {
    const all = ['students.view', 'students.sensitive'] as const
    assert.deepEqual(await groupsFor([all, 'all']), [
      [3, ...plain],
      [2, ...dated],
      [2, ...unknown],
    ])
    assert.deepEqual(await groupsFor([all, [5]]), [
      [1, ...plain],
      [1, ...dated],
    ])
    // That a row of nobody is not doubtful tells that no child is like it. The file has dates: that a row only changes something else tells that its date is right.
    assert.deepEqual(await groupsFor([['students.view'], 'all'], [['students.sensitive'], [6]]), [
      [2, ...plain],
      [1, ...dated],
    ])
    assert.deepEqual(await groupsFor([['students.view'], [6]]), [])
  })

  it('list their rows, and no others that change the same column', async () => {
    const rowsFor = async (row: number | string, ...holdings: Holding[]) => {
      const reader = await personHolding(school, [['students.import'], 'all'], ...holdings)
      const { status, body } = await school.get(`/api/imports/${id}/rows?like_row=${row}`, reader)
      assert.equal(status, 200)
      assert.equal(body.pagination.total, body.data.length)
      return body.data.map((one: { row: number }) => one.row)
    }
    const all = ['students.view', 'students.sensitive'] as const
    assert.deepEqual(await rowsFor(2, [all, 'all']), [2, 4, 6])
    assert.deepEqual(await rowsFor(3, [all, 'all']), [3, 5])
    assert.deepEqual(await rowsFor(7, [all, 'all']), [7, 9])
    assert.deepEqual(await rowsFor(4, [all, [6]]), [4, 6])
    // A row that the reader may not see is not compared.
    assert.deepEqual(await rowsFor(2, [all, [6]]), [])
  })
})
