import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person } from '../../test/school.ts'
import { readXlsx } from '../../test/sheets.ts'
import { inline, sheetOf, writtenWorkbook } from '../../test/workbooks.ts'

describe('a column of a spreadsheet without a heading, once it is answered,', () => {
  let admin: Person
  let importer: Importer
  let refusedOf: (id: number) => Promise<readonly (readonly string[])[]>
  before(async () => {
    const school = await openSchool()
    admin = await school.person('administrator')
    importer = new Importer(school, admin)
    refusedOf = async (id) => {
      const headers = { authorization: `Bearer ${admin.token}` }
      const { rawPayload } = await school.inject({
        method: 'GET',
        url: `/api/imports/${id}/refused`,
        headers,
      })
      return [...(await readXlsx(rawPayload)).values()][0]!
    }
  })
  const bookOf = (...rows: string[][]) =>
    writtenWorkbook({ sheets: [sheetOf(rows.map((row) => row.map(inline)))] })

  /** Sends a file of which one column has no heading, and says what it is. */
  async function answered(column: string, ...rows: string[][]) {
    const asked = await importer.read(await importer.send(await bookOf(...rows)))
    const { key } = asked.questions.find(({ key }: { key: string }) => key.startsWith('column.'))!
    return importer.continued(asked, { answers: { [key]: column } })
  }

  it('is read by the order of its dates', async () => {
    const header = ['name', 'admission_number', 'class']
    const rows = [
      ['Ada', 'd-1', 'Class 1', '13.3.2014'],
      ['Bo', 'd-2', 'Class 1', '24.12.2014'],
    ]
    const { counts } = await answered('date_of_birth', header, ...rows)
    assert.equal(counts?.create, 2)
  })

  it('is asked about for the classes that it names', async () => {
    const { questions } = await answered('class', ['name', 'admission_number'], ['Ada', 'c-1', '7 Blue'])
    assert.ok(questions.some(({ key }: { key: string }) => key === 'class.7 Blue'))
  })

  it('stands in the file of refused rows', async () => {
    const header = ['name', 'admission_number', 'class']
    const { id } = await answered(
      'notes',
      header,
      ['Ada', '', 'Class 1', 'Some note'],
      ['Bo', 'c-3', 'Class 1', 'Other'],
    )
    assert.deepEqual((await refusedOf(id))[1]!.slice(1), ['Ada', '', 'Class 1', 'Some note'])
  })
})
