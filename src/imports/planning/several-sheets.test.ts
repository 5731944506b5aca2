import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { readXlsx } from '../../../test/sheets.ts'
import { inline, sheetOf, writtenWorkbook } from '../../../test/workbooks.ts'
import { ends } from '../applying/due-rows.ts'

const header = ['name', 'admission_number', 'class', 'date_of_birth', 'identifiers.UPN']

describe('a file with several sheets', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const workbook = (
    sheets: Readonly<Record<string, readonly string[]>>,
    headers: Readonly<Record<string, readonly string[]>> = {},
  ): Promise<Buffer> => {
    const written = Object.entries(sheets).map(([name, lines]) => {
      const rows = [headers[name] ?? header, ...lines.map((line) => line.split(','))]
      return { name, ...sheetOf(rows.map((cells) => cells.map(inline))) }
    })
    return writtenWorkbook({ sheets: written })
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries
  const told = async (id: number, query: string): Promise<any[]> =>
    (await importer.rows(id, query)).map(({ sheet, row, cells }) => [
      ...[sheet, row],
      ...cells.flatMap(({ code, detail, params }: { code?: string; detail?: string; params?: object }) =>
        code === undefined ? [] : [code, detail, params],
      ),
    ])

  it('names the sheet of a row that a row is like, also the first', async () => {
    const file = {
      '7a': ['Ada One,sh-1,Class 1,2014-01-01,', 'Bo One,sh-2,Class 1,2014-01-02,'],
      '7 b': ['Cy Two,sh-1,Class 1,2014-01-03,', 'Bo One,sh-3,Class 1,2014-01-02,'],
    }
    const { id, counts } = await importer.planned(await workbook(file))
    assert.equal(counts.doubtful, 4)
    const second = { sheet: 2, sheet_name: '7 b' }
    const first = { sheet_name: '7a' }
    assert.deepEqual(await told(id, '&outcome=doubtful'), [
      ['7a', 2, 'number_twice', 'stands in row 2 of the sheet "7 b" too', { row: 2, ...second }],
      ...[
        ['7a', 3, 'name_and_date_twice', 'and the name are those of row 3 of the sheet "7 b" too'],
        ['7 b', 2, 'number_twice', 'stands in row 2 of the sheet "7a" too'],
        ['7 b', 3, 'name_and_date_twice', 'and the name are those of row 3 of the sheet "7a" too'],
      ].map((one, i) => [...one, { row: one[1], ...(i === 0 ? second : first) }]),
    ])
  })

  it('takes decisions on rows of a sheet whose name is as long as one can be', async () => {
    const sheet = 'S'.repeat(250)
    const file = { [sheet]: ['Ada Long,sl-1,Class 1,,', 'Bo Long,sl-1,Class 1,,'], '7b': [] }
    const planned = await importer.planned(await workbook(file))
    assert.equal(planned.counts.doubtful, 2)
    const [first] = await importer.rows(planned.id, '&outcome=doubtful')
    assert.equal(first.sheet, sheet)
    const decided = await importer.continued(planned, {
      decisions: [{ row: 3, sheet, decision: 'leave_out' }],
    })
    assert.equal(decided.counts.left_out, 1)
    assert.deepEqual(await importer.rows(planned.id, `&like_row=2&like_sheet=${sheet}`), []) // it takes the name
  })

  it('names it in the file of refused rows, in each language', async () => {
    const child = await school.student(registrar, { name: 'Known', admission_number: 'sh-9', class_id: 1 })
    const file = {
      '7a': ['Ada Ref,sh-9,Class 1,,', 'Di Ref,sh-10,Class 1,,u-1'],
      '7 b': ['Bo Ref,sh-9,Class 1,,', 'Ed Ref,sh-11,Class 1,,u-1'],
    }
    const { id, counts } = await importer.planned(await workbook(file))
    assert.equal(counts.refused, 4, `student ${child} is in two rows, and so is an identifier`)
    const [twice] = await told(id, '&outcome=refused')
    assert.deepEqual(twice, [
      ...['7a', 2, 'duplicate', 'stands in row 2 of the sheet "7 b" too'],
      { row: 2, sheet: 2, sheet_name: '7 b' },
    ])
    assert.deepEqual((await told(id, '&outcome=refused')).at(-1).at(-1), { row: 3, sheet_name: '7a' })
    const problems = async (query: string) => {
      const { rawPayload } = await school.inject({
        ...{
          url: `/api/imports/${id}/refused${query}`,
          headers: { authorization: `Bearer ${registrar.token}` },
        },
      })
      const [rows] = [...(await readXlsx(rawPayload)).values()]
      return rows!.slice(1).map(([problem]) => problem)
    }
    assert.match((await problems(''))[0]!, /^admission_number stands in row 2 of the sheet "7 b" too$/)
    const [english] = await problems('?language=en')
    assert.match(english!, /It stands in row 2 of the sheet “7 b” of the sent file too\./)
    const german = await problems('?language=de')
    assert.match(german[0]!, /Steht auch in Zeile 2 von Blatt „7 b“ der gesendeten Datei\./)
    assert.match(german.at(-1)!, /Zeile 3 von Blatt „7a“/)
    const [arabic] = await problems('?language=ar')
    assert.match(arabic!, /السطر 2 من الورقة «\u20687 b\u2069»/)
  })

  it('names it where a row ends the import, and where a child would be written over', async () => {
    const sure = { class_id: 1, date_of_birth: '2014-02-01' }
    await school.student(registrar, { name: 'Old Over', admission_number: 'sh-20', ...sure })
    await school.student(registrar, { name: 'Old Two', admission_number: 'sh-21', ...sure })
    const file = {
      '7a': ['New Kid,sh-22,Class 1,2014-02-03,'],
      '7 b': ['New Over,sh-20,Class 1,2014-02-02,', 'Old Two,sh-21,Class 2,2014-02-01,'],
    }
    const planned = await importer.planned(await workbook(file))
    const [warning] = planned.warnings
    assert.deepEqual(warning.params, { row: 2, sheet: '7 b', rows: 1 })
    assert.match(warning.detail, /^Row 2 of the sheet "7 b" gives its student another name/)
    const place = 2 ** 21 + 3
    const { message } = ends({ place, sheet: '7 b' }, 'student_gone')
    assert.equal(message, 'Row 3 of the sheet "7 b" is of a student who is gone.')
  })

  it('tells how many rows a sheet has that is left out for its headings', async () => {
    const file = {
      '7a': ['Ada Late,sh-30,Class 1,,'],
      Nachzügler: ['sh-31,Bo Late', 'sh-32,Cy Late', ',', 'sh-33,Di Late'],
      Legend: [...Array(14).keys()].map((i) => `sign ${i}`),
      Empty: [],
    } // headings are rows too
    const headers = { Nachzügler: ['admission_number', 'name'], Legend: ['What it says'], Empty: [''] }
    const { warnings, counts, file: shown } = await importer.planned(await workbook(file, headers))
    assert.equal(counts.rows, 1)
    const detailOf = (name: string, end: string) =>
      `The sheet "${name}" has another header than the first, or none${end}`
    const advice = 'If they are students or classes, send the sheet as a file of its own.'
    assert.deepEqual(warnings, [
      {
        code: 'sheet_left_out',
        detail: detailOf('Nachzügler', `: its 4 rows are left out. ${advice}`),
        params: { sheet: 'Nachzügler', rows: 4 },
      },
      {
        code: 'sheet_left_out',
        detail: detailOf('Legend', `: its 15 rows are left out. ${advice}`),
        params: { sheet: 'Legend', rows: 15 },
      },
      {
        code: 'sheet_left_out',
        detail: detailOf('Empty', ', and is left out.'),
        params: { sheet: 'Empty', rows: 0 },
      },
    ])
    assert.deepEqual(
      shown.sheets.map((one: Record<string, unknown>) => [one.rows, one.rows_left_out]),
      [
        [1, undefined],
        [0, 4],
        [0, 15],
        [0, 0],
      ],
    )
  })
})
