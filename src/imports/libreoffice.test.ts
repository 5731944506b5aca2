// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { Importer, type ShownImport } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { projectFolder } from '../../test/server.ts'

const fileOf = (name: string) => readFileSync(join(projectFolder, 'test', 'libreoffice', name))

describe('a file that LibreOffice wrote', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  /** What its rows would give, in the order of the file. */
  async function given({ id }: ShownImport): Promise<Record<string, string>[]> {
    const rows = await importer.rows(id)
    return rows.map(({ cells }) =>
      Object.fromEntries(cells.map(({ column, to }: { column: string; to: string }) => [column, to])),
    )
  }

  /** Answers what must be, and gives the keys of that. */
  async function plannedWith(file: string, answers: Record<string, unknown>) {
    let shown = await importer.read(await importer.send(fileOf(file)))
    const asked: string[] = []
    while (shown.state === 'question') {
      const keys = shown.questions.flatMap((one: { key: string; required: boolean }) =>
        one.required ? [one.key] : [],
      )
      asked.push(...keys)
      const some = Object.fromEntries(keys.map((key: string) => [key, answers[key]]))
      shown = await importer.continued(shown, { answers: some })
    }
    assert.equal(shown.state, 'planned', JSON.stringify(shown.failure))
    return { shown, asked }
  }

  const zoe = {
    ...{ name: 'Zoë Müller', given_name: 'Zoë', family_name: 'Müller', admission_number: '00042' },
    ...{ class: 'Class 1', date_of_birth: '2014-03-09' },
    ...{ guardian_1_name: 'Jörg Müller', guardian_1_phone: '+49 30 12345' },
  }
  const [nameOrder, encoding] = [{ name_order: 'given_first' }, { encoding: 'windows-1252' }]

  it('with several sheets, a title, a hidden row, formulas and formats, is read as it looks', async () => {
    const { shown, asked } = await plannedWith('lists.xlsx', nameOrder)
    assert.deepEqual([asked, shown.counts.create], [['name_order'], 4])
    assert.deepEqual(
      shown.file.sheets.map((one: Record<string, unknown>) => [one.name, one.header_row, one.hidden_rows]),
      [
        ['Year 7', 3, 1],
        ['Year 8', 1, 0],
        ['Notes', null, 0],
      ],
    )
    assert.deepEqual(
      shown.warnings.map(({ code }: { code: string }) => code),
      ['rows_above_header', 'hidden_rows', 'sheet_left_out', 'blank_rows', 'odd_ages'],
    )
    const rows = await given(shown)
    assert.deepEqual(rows[0], zoe)
    assert.deepEqual(
      rows.map(({ admission_number, date_of_birth, class: label }) => [
        admission_number,
        date_of_birth,
        label,
      ]),
      [
        ['00042', '2014-03-09', 'Class 1'],
        ['00043', '2014-12-01', 'Class 1'],
        ['00107', '1999-02-28', 'Class 2'],
        ['01001', '2013-05-06', 'Class 3'],
      ],
    )
  })

  it('in Windows-1252 with semicolons is asked about, and read as it looks', async () => {
    const { shown, asked } = await plannedWith('lists-1252.csv', { ...nameOrder, ...encoding })
    assert.deepEqual(asked, ['encoding', 'name_order'])
    assert.deepEqual([shown.file.delimiter, shown.counts.create], [';', 3])
    const rows = await given(shown)
    assert.deepEqual(rows[0], zoe)
    assert.deepEqual(rows[2]!.family_name, 'Šimek')
  })

  it('whose zeros are lost changes nobody in silence', async () => {
    const { shown } = await plannedWith('lists.xlsx', nameOrder)
    assert.equal((await importer.applied(shown)).state, 'applied')
    const lost = await plannedWith('lists-utf8.csv', nameOrder)
    const { doubtful, change, create, unchanged } = lost.shown.counts
    assert.deepEqual([doubtful, change, create, unchanged], [3, 0, 0, 0])
    const as = ['42', '43', '107'].map((number, i) => ({ number: number.padStart(5, '0'), row: 4 + i }))
    const decisions = []
    for (const { number, row } of as) {
      const { body } = await school.get(`/api/students?search=${number}`, registrar)
      decisions.push({ row: row === 6 ? 7 : row, decision: 'same', id: body.data[0].id })
    }
    const settled = await importer.continued(lost.shown, { decisions })
    assert.deepEqual([settled.counts.unchanged, settled.counts.change], [3, 0])
  })
})
