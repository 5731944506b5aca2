import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engine } from '../../test/engine.ts'
import { exportedFile, patched, rowsNotUnchanged, sentFile } from '../../test/exported-students.ts'
import { personHolding } from '../../test/grants.ts'
import { exportsComeBackUnchanged, survivesDamage } from '../../test/round-trips.ts'
import { openSchool } from '../../test/school.ts'
import { inline, sheetOf, writtenWorkbook } from '../../test/workbooks.ts'

describe('an export that is imported again', () => {
  it('changes nothing, for students of every kind', async () =>
    exportsComeBackUnchanged(await openSchool(), { runs: 2, students: 8 }))

  it('and that a spreadsheet has damaged changes nothing that is not asked or shown', async () =>
    survivesDamage(await openSchool(), { runs: engine === 'sqlite' ? 5 : 2, students: 6 }))

  it('changes nothing where its importer sees but a part of it, and asks nothing', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const guardians = [{ name: 'Jo', phone: '0171' }]
    await school.student(registrar, { name: 'Zoë', class_id: 5, ...{ guardians, notes: 'secret' } })
    await school.student(registrar, { name: 'Bo', class_id: 6 })
    const held = ['view', 'create', 'update', 'import', 'export'].map((one) => `students.${one}` as const)
    const clerk = await personHolding(school, [held as never, [5]])
    for (const form of ['csv', 'xlsx']) {
      const planned = await sentFile(
        school,
        clerk,
        await exportedFile(school, clerk, `/api/students.${form}`),
      )
      const { state, counts } = planned
      assert.deepEqual([state, counts.rows, counts.unchanged], ['planned', 1, 1])
    }
  })

  it('and whose numbers a spreadsheet holds as numbers is doubtful, warned of, and leaves them as they are', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const guardians = [{ name: 'Jo', phone: '01712345678' }]
    const given = { name: 'Zoë', admission_number: '0042', date_of_birth: '2014-03-09', guardians }
    const id = await school.student(registrar, given)
    const header = [
      'admission_number',
      'name',
      'class',
      'date_of_birth',
      'guardian_1_name',
      'guardian_1_phone',
    ]
    const serial = '<c s="1"><v>41707</v></c>' // 9 March 2014, as Excel counts days
    const cells = ['<c><v>42</v></c>', inline('Zoë'), inline('Class 1'), serial, inline('Jo')]
    const rows = [header.map(inline), [...cells, '<c><v>1712345678</v></c>']]
    const file = await writtenWorkbook({ sheets: [sheetOf(rows)], formats: [0, 14] })
    const planned = await sentFile(school, registrar, file)
    assert.deepEqual([planned.state, planned.counts.doubtful], ['planned', 1], JSON.stringify(planned))
    const codes = planned.warnings.map(({ code }: { code: string }) => code)
    assert.deepEqual(codes, ['numbers_in_texts', 'numbers_in_texts'])
    const same = { decisions: [{ row: 2, decision: 'same', id }] }
    const settled = await patched(school, registrar, planned, same)
    const [{ outcome, cells: changed } = assert.fail()] = await rowsNotUnchanged(
      school,
      registrar,
      settled.id,
    )
    const phone = { column: 'guardian_1_phone', from: '01712345678', to: '1712345678' }
    assert.deepEqual([outcome, changed], ['change', [phone]])
  })

  it('and in which two numbers have become one changes neither, though one of the rows is refused or left out', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    await school.student(registrar, { name: 'Ann', admission_number: '042', class_id: 1 })
    await school.student(registrar, { name: 'Bob', admission_number: '42', class_id: 1 })
    const rows = ['42,Ann,Class 1,', '42,Bob,Class 1,soon']
    const file = Buffer.from(['admission_number,name,class,date_of_birth', ...rows].join('\n'))
    const refused = await sentFile(school, registrar, file)
    assert.deepEqual([refused.counts.change, refused.counts.refused], [0, 2], JSON.stringify(refused))
    const other = Buffer.from(`admission_number,name,class\n42,Ann,Class 1\n42,Bob,Klass 1\n`)
    const asked = await sentFile(school, registrar, other)
    const { counts } = await patched(school, registrar, asked, { answers: { 'class.Klass 1': 'leave_out' } })
    assert.deepEqual([counts.change, counts.refused, counts.left_out], [0, 1, 1])
  })
})
