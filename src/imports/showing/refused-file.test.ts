import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'
import { readXlsx } from '../../../test/sheets.ts'
import { inline, sheetOf, writtenWorkbook } from '../../../test/workbooks.ts'

describe('GET /api/imports/{id}/refused', () => {
  it('tells the class of each row where the names of the sheets are the classes', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    const rowsOf = (name: string) =>
      [
        ['name', 'email'],
        [name, 'none'],
      ].map((row) => row.map(inline))
    const sheets = ['Class 1', 'Class 2'].map((name) => ({ name, ...sheetOf(rowsOf(`Child of ${name}`)) }))
    const asked = await importer.read(await importer.send(await writtenWorkbook({ sheets })))
    const answers = { class_id: 'sheet', admission_number: 'r-*01' }
    const { id, counts } = await importer.continued(asked, { answers })
    assert.equal(counts.refused, 2)
    const { rawPayload } = await school.inject({
      method: 'GET',
      url: `/api/imports/${id}/refused`,
      headers: { authorization: `Bearer ${registrar.token}` },
    })
    const [sheet] = [...(await readXlsx(rawPayload)).values()]
    assert.deepEqual(
      sheet!.map((row) => row.slice(1)),
      [
        ['class', 'name', 'email'],
        ['Class 1', 'Child of Class 1', 'none'],
        ['Class 2', 'Child of Class 2', 'none'],
      ],
    )
  })

  it('is written as the file itself: with its delimiter, and a mark by which spreadsheets know UTF-8', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    for (const delimiter of [',', ';', '\t', '|']) {
      const rows = [
        ['name', 'admission_number', 'class'],
        ['Zoë', '', 'Class 1'],
      ].map((row) => row.join(delimiter))
      const { id, counts } = await importer.planned(`${rows.join('\n')}\n`)
      assert.equal(counts.refused, 1)
      const { text } = await importer.refused(id)
      const [header, row] = text.split('\r\n')
      assert.equal(header, `\uFEFFproblem${delimiter}${rows[0]}`)
      assert.ok(row!.endsWith(`${delimiter}${rows[1]}`), row)
    }
  })
})
