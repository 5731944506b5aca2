import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { exportedFile, sentFile } from '../../../test/exported-students.ts'
import { personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { inline, sheetOf, writtenWorkbook } from '../../../test/workbooks.ts'

describe('1.234 in a field of numbers, which is a thousand in Germany and not in England,', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
    const admin = await school.person('administrator')
    for (const body of [
      { label: 'Fee', kind: 'number' },
      { label: 'Fine', kind: 'number', sensitive: true },
    ])
      assert.equal((await school.post('/api/fields', body, admin)).status, 201)
    const fields = { fee: 1.234, fine: -12.5 }
    await school.student(registrar, { name: 'Ada', admission_number: 'u-1', fields })
    await school.student(registrar, {
      name: 'Bo',
      admission_number: 'u-2',
      fields: { fee: 1234, fine: 9.125 },
    })
  })

  const plan = async (file: string | Buffer, as = importer) => {
    const { id } = await as.planned(file, '?mode=update')
    return (await as.rows(id)).map(({ row, outcome, cells }) => {
      const told = cells.filter(({ column }: { column: string }) => column.startsWith('fields.'))
      return [row, outcome, ...told.map(({ to, code }: { to: string; code?: string }) => code ?? to)]
    })
  }
  const csv = (...rows: string[]) => ['admission_number;fields.fee', ...rows, ''].join('\n')

  it('is refused as 1,234 is, and what can be read in one way is taken', async () => {
    assert.deepEqual(await plan(csv('u-2;1.234', 'u-1;1,234')), [
      [2, 'refused', 'unsure_number'],
      [3, 'refused', 'unsure_number'],
    ])
    assert.deepEqual(await plan(csv('u-2;1.2340', 'u-1;1234')), [
      [2, 'change', '1.234'],
      [3, 'change', '1234'],
    ])
  })

  it('is unchanged where that stands in the record, so that an export comes back', async () => {
    assert.deepEqual(await plan(csv('u-1;1.234')), [[2, 'unchanged']])
    for (const form of ['csv', 'xlsx']) {
      const file = await exportedFile(school, registrar, `/api/students.${form}`)
      const { counts } = await sentFile(school, registrar, file)
      assert.deepEqual([counts.rows, counts.unchanged], [2, 2], form)
    }
  })

  it('is refused all the same where the account may not see what stands there: it would be told', async () => {
    const held = ['view', 'create', 'update', 'import'].map((one) => `students.${one}` as const)
    const clerk = await personHolding(school, [held as never, 'all'])
    const file = (number: string) => `admission_number;fields.fine\nu-2;${number}\n`
    const told = async (number: string) => plan(file(number), new Importer(school, clerk))
    assert.deepEqual(await told('9.125'), await told('9.126'))
  })

  it('is what the cell holds in XLSX where the spreadsheet has numbers alone in the column', async () => {
    const file = (...cells: string[]) =>
      writtenWorkbook({
        sheets: [
          sheetOf([
            ['admission_number', 'fields.fee'].map(inline),
            ...cells.map((cell, i) => [inline(`u-${i + 1}`), cell]),
          ]),
        ],
      })
    const number = (value: string) => `<c><v>${value}</v></c>`
    assert.deepEqual(await plan(await file(number('7.125'), number('2.345'))), [
      [2, 'change', '7.125'],
      [3, 'change', '2.345'],
    ])
    assert.deepEqual(await plan(await file(number('7.5'), inline('2.345'))), [
      [2, 'change', '7.5'],
      [3, 'refused', 'unsure_number'],
    ])
  })
})
