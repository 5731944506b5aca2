import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'
import { inline, sheetOf, writtenWorkbook } from '../../../test/workbooks.ts'

describe('the header of a file', () => {
  it('may be its tenth row, and no later one, with any delimiter and in a workbook', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    const below = (above: number) => [
      ...Array.from({ length: above }, (_, i) => [`Title ${i}`]),
      ['name', 'admission_number', 'class'],
      ['Zoë', `h-${above}`, 'Class 1'],
    ]
    const filesOf = async (rows: readonly (readonly string[])[]) => [
      rows.map((row) => `${row.join(';')}\n`).join(''),
      await writtenWorkbook({ sheets: [sheetOf(rows.map((row) => row.map(inline)))] }),
    ]
    for (const file of await filesOf(below(9))) {
      const { counts, file: read } = await importer.planned(file)
      assert.deepEqual([counts.rows, counts.create, read.sheets[0].header_row], [1, 1, 10])
    }
    for (const file of await filesOf(below(10))) {
      const { state, failure } = await importer.read(await importer.send(file))
      assert.deepEqual([state, failure?.code], ['refused', 'header_not_found'], JSON.stringify(failure))
    }
  })

  it('is below a row that says whom the columns are about', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    const rows = [
      'Schüler;;;Mutter;;Vater;',
      'Schülernummer;Name;Klasse;Name;Telefon;Name;Telefon',
      'h-1;Zoë Anders;Class 1;Eva Anders;123;Jan Anders;456',
    ]
    const { file, questions } = await importer.read(await importer.send(rows.join('\n')))
    assert.equal(file.sheets[0].header_row, 2)
    const asked = questions.map(({ key }: { key: string }) => key)
    assert.ok(asked.includes('column.Name (2)'), asked.join(', '))
  })

  it('is left out where it stands again, as on each page of a list, and is told of', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    const header = ['Vorname', 'Nachname', 'Schülernummer', 'Klasse']
    const rows = [
      ...[header, ['Ada', 'Lo', 'p-1', 'Class 1'], header.map((heading) => ` ${heading} `), [...header, '']],
      ['Vorname', 'Nachname', 'p-2', 'Class 1'],
    ]
    const files = [
      rows.map((row) => `${row.join(';')}\n`).join(''),
      await writtenWorkbook({ sheets: [sheetOf(rows.map((row) => row.map(inline)))] }),
    ]
    for (const file of files) {
      const asked = await importer.read(await importer.send(file))
      const {
        counts,
        warnings,
        file: read,
      } = await importer.continued(asked, { answers: { name_order: 'given_first' } })
      assert.equal(counts.create, 2)
      const { rows, blank_rows, repeated_headers } = read.sheets[0]
      assert.deepEqual([rows, blank_rows, repeated_headers], [2, 0, 2])
      const told = {
        code: 'repeated_headers',
        detail: '2 rows are the header again, and left out.',
        params: { rows: 2 },
      }
      assert.deepEqual(warnings, [told])
    }
  })

  it('of another table below is told of, and what is below that is left out until the first header comes again', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    const rows = [
      ...[['Name', 'Schülernummer', 'Klasse', 'Bus'], ['Ada Lo', 't-1', 'Class 1', 'Bus'], ['']],
      ...[
        ['Schülernummer', 'Name', 'Klasse'],
        ['t-2', 'Bo Nord', 'Class 1'],
        ['t-3', 'Cy Nord', 'Class 1'],
      ],
      ...[
        ['Name', 'Schülernummer', 'Klasse', 'Bus'],
        ['Di Lo', 't-4', 'Class 1'],
      ],
    ]
    const answers = { 'column.Bus': 'leave_out' }
    const files = [
      rows.map((row) => `${row.join(';')}\n`).join(''),
      await writtenWorkbook({ sheets: [sheetOf(rows.map((row) => row.map(inline)))] }),
    ]
    for (const file of files) {
      const asked = await importer.read(await importer.send(file))
      const { counts, warnings, file: read } = await importer.continued(asked, { answers })
      assert.deepEqual([counts.create, counts.rows], [2, 2])
      const [{ name, other_table_row, rows_left_out }] = read.sheets
      assert.deepEqual([other_table_row, rows_left_out], [4, 3])
      const about = name === null ? {} : { sheet: name }
      const where = name === null ? 'The file' : `The sheet "${name}"`
      const told = warnings.find(({ code }: { code: string }) => code === 'other_table')
      assert.deepEqual(told, {
        code: 'other_table',
        detail: `${where} has other headings in row 4. That row and those below it are left out: 3 rows are. Send them as a file of their own.`,
        params: { ...about, row: 4, rows: 3 },
      })
    }
  })

  it('is no row, so that a file with nothing else has none', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    const { state, failure } = await importer.read(await importer.send('name,class\nname,class\n'))
    assert.deepEqual([state, failure?.code], ['refused', 'no_rows'])
  })
})
