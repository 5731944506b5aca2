import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { temporaryFolder } from '../../test/cleanup.ts'
import { runCommand, runWell } from '../../test/command.ts'
import { openSchool, type School } from '../../test/school.ts'
import { readCsv, readXlsx } from '../../test/sheets.ts'

describe('export', () => {
  let school: School
  let databaseUrl: string
  let folder: string
  before(async () => {
    school = await openSchool()
    databaseUrl = school.databaseUrl
    const registrar = await school.person('registrar')
    for (const name of ['Zoë', '王小明', '=1+1']) await school.student(registrar, { name })
    folder = temporaryFolder()
  })

  it('writes all students into a file whose name says what it is, with every field', async () => {
    const [csv, xlsx] = [join(folder, 'students.csv'), join(folder, 'students.XLSX')]
    assert.match((await runWell(['export', csv], { databaseUrl })).stdout, /^Exported 3 students to /)
    const { students } = (await runWell(['export', xlsx, '--json'], { databaseUrl })).json()
    assert.equal(students, 3)
    const rows = readCsv(readFileSync(csv))
    assert.deepEqual(
      rows.map(([, name]) => name),
      ['name', 'Zoë', '王小明', '=1+1'],
    )
    assert.ok(rows[0]!.includes('notes') && rows[0]!.includes('guardian_1_name'))
    const sheet = (await readXlsx(readFileSync(xlsx))).get('students')!
    assert.deepEqual(sheet[0], rows[0])
    if (process.platform !== 'win32') assert.equal(statSync(csv).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(folder).sort(), ['students.XLSX', 'students.csv'])
  })

  /** The newest export in the log, as an administrator sees it. */
  async function logged() {
    const path = '/api/audit?record=export&per_page=1'
    const [entry] = (await school.get(path, await school.person('administrator'))).body.data
    const { change_set_id, kind, note, by, record, record_id, action, changes } = entry
    assert.deepEqual([record, record_id, action], ['export', change_set_id, 'created'])
    return { kind, note, by, changes }
  }

  it('is in the log of changes: that all students were written, how many, and by which command', async () => {
    const { entries } = (
      await runWell(['audit', 'list', '--record', 'export', '--json'], { databaseUrl })
    ).json()
    const told = entries.map(({ command, note }: Record<string, string>) => [command, note])
    assert.deepEqual(told, [
      ['export', '3 students as xlsx'],
      ['export', '3 students as csv'],
    ])
    const exported = { kind: 'export', by: { command: 'export' }, changes: [] }
    assert.deepEqual(await logged(), { ...exported, note: '3 students as xlsx' })
    const tooLong = join(folder, `${'x'.repeat(250)}.csv`)
    const failed = await runCommand(['export', tooLong], { databaseUrl })
    assert.equal(failed.status, 1)
    assert.match(failed.stderr, /can't be written: /)
    assert.deepEqual(await logged(), { ...exported, note: '0 students as csv, cut short' })
  })

  it('has a column for each system of identifiers, though there are more than a request may ask for', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    for (let first = 0; first < 220; first += 20) {
      const systems = Array.from({ length: 20 }, (_, i) => `system ${first + i}`)
      const identifiers = systems.map((system) => ({ system, value: 'x' }))
      const student = { name: 'Ada', admission_number: `n-${first}`, class_id: 1, identifiers }
      assert.equal((await school.post('/api/students', student, registrar)).status, 201)
    }
    const path = join(temporaryFolder(), 'students.csv')
    await runWell(['export', path], { databaseUrl: school.databaseUrl })
    const [header, ...rows] = readCsv(readFileSync(path))
    const ofSystems = header!.flatMap((name, i) => (name.startsWith('identifiers.') ? [i] : []))
    assert.deepEqual([ofSystems.length, rows.length], [220, 11])
    assert.ok(ofSystems.every((at) => rows.filter((row) => row[at] === 'x').length === 1))
  })

  it('overwrites no file, and makes none that is no CSV or XLSX', async () => {
    const there = join(folder, 'there.csv')
    writeFileSync(there, 'mine')
    const refused = await runCommand(['export', there], { databaseUrl })
    assert.deepEqual([refused.status, readFileSync(there, 'utf8')], [1, 'mine'])
    assert.match(refused.stderr, /exists; this command never overwrites/)
    const other = join(folder, 'students.ods')
    assert.match((await runCommand(['export', other], { databaseUrl })).stderr, /must end in \.csv or \.xlsx/)
    assert.ok(!existsSync(other))
    const nowhere = join(folder, 'nowhere', 'students.csv')
    assert.match((await runCommand(['export', nowhere], { databaseUrl })).stderr, /folder .* does not exist/)
  })
})
