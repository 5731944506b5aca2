// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type School } from '../../test/school.ts'
import { inline, sheetOf, writtenWorkbook } from '../../test/workbooks.ts'

describe("a cell with a spreadsheet's error", () => {
  let school: School
  let importer: Importer
  before(async () => {
    school = await openSchool()
    importer = new Importer(school, await school.person('registrar'))
  })

  const detail = (error: string) => `must be a value: the cell holds the error ${error} of the spreadsheet`

  it('refuses its row, in XLSX', async () => {
    const failed = (error: string) => `<c t="e"><f>A1</f><v>${error}</v></c>`
    const columns = ['name', 'admission_number', 'class', 'date_of_birth', 'guardian_1_name']
    const file = await writtenWorkbook({
      sheets: [
        sheetOf([
          columns.map(inline),
          [inline('Ada'), inline('e-1'), inline('Class 1')],
          [failed('#NAME?'), inline('e-2'), failed('#REF!'), failed('#VALUE!'), failed('#BUSY!')],
          [inline('Bo'), failed('#N/A'), inline('Class 1')],
        ]),
      ],
    })
    const { id, counts } = await importer.planned(file)
    assert.deepEqual([counts.create, counts.refused], [1, 2])
    const [, many, one] = await importer.rows(id)
    const expected = [
      ...[
        ['name', '#NAME?'],
        ['date_of_birth', '#VALUE!'],
        ['guardian_1_name', '#BUSY!'],
        ['class', '#REF!'],
      ],
    ].map(([column, to]) => ({ column, to, code: 'cell_error', detail: detail(to!) }))
    for (const cell of expected)
      assert.ok(
        many.cells.some((told: object) => JSON.stringify(told) === JSON.stringify(cell)),
        JSON.stringify(many.cells),
      )
    assert.deepEqual(one.cells[0], {
      ...{ column: 'admission_number', to: '#N/A', code: 'cell_error', detail: detail('#N/A') },
    })
  })

  it('refuses its row, in CSV, in any language', async () => {
    const errors = ['#REF!', '#N/A', '#NV', '#BEZUG!', '#¡DIV/0!', '#ÜBERLAUF!', 'Err:502', '#DIV/0!']
    const lines = errors.map((error, i) => `${error},c-${i},Class 1\n`)
    const { counts } = await importer.planned(`name,admission_number,class\n${lines.join('')}`)
    assert.equal(counts.refused, errors.length)
    const names = ['No #1', 'Error', '# N/A', '#ref', 'Errol:502'].map(
      (name, i) => `${name},d-${i},Class 1\n`,
    )
    const texts = await importer.planned(`name,admission_number,class\n${names.join('')}`)
    assert.equal(texts.counts.create, names.length)
  })

  it('refuses a class', async () => {
    const { id, counts } = await new Importer(school, await school.person('administrator')).planned(
      'label\n#REF!\n',
      '?kind=classes',
    )
    assert.ok(id > 0)
    assert.equal(counts.refused, 1)
  })

  it('changes nothing where just that text stands in the record', async () => {
    const registrar = await school.person('registrar')
    await school.student(registrar, { admission_number: 'e-9', name: '#N/A' })
    const { counts } = await importer.planned('name,admission_number\n#N/A,e-9\n', '?mode=update')
    assert.equal(counts.unchanged, 1)
  })
})
