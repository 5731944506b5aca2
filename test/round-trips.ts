import assert from 'node:assert/strict'
import fc from 'fast-check'
import { damaged, dateForms, orderIn } from './damage.ts'
import {
  archive,
  exportedFile,
  newStudents,
  oddStudents,
  type PlannedRow,
  patched,
  prepare,
  rowsNotUnchanged,
  sentFile,
} from './exported-students.ts'
import type { Person, School } from './school.ts'
import { readCsv } from './sheets.ts'

/* What holds for every export that is imported again, over HTTP; students come to the same school, run by run. */

/** How often, and with how many new students each time. */
export interface Runs {
  readonly runs: number
  readonly students: number
}

interface Prepared {
  readonly registrar: Person
  /** Makes these students, as far as the API takes them, in another order of names each time. @returns how many there are */
  readonly add: (bodies: readonly object[]) => Promise<number>
  readonly classIds: readonly number[]
}

async function prepared(school: School): Promise<Prepared> {
  const { administrator, classIds, archivedId } = await prepare(school)
  const registrar = await school.person('registrar')
  let turns = 0
  const add = async (bodies: readonly object[]) => {
    const order = { name_order: turns++ % 2 === 0 ? 'family_first' : 'given_first' }
    const change = { as: administrator, body: order, headers: { 'if-match': '*' } }
    assert.equal((await school.send('PATCH', '/api/school', change)).status, 200)
    await archive(school, registrar, archivedId, false)
    for (const body of bodies) {
      const { status, text } = await school.post('/api/students', body, registrar)
      assert.ok([201, 409, 422].includes(status), text)
    }
    await archive(school, registrar, archivedId, true)
    return school.count('students')
  }
  return { registrar, add, classIds }
}

/** Students stay from one run to the next, so that a failure can't be made smaller. */
const atOnce = { endOnFailure: true } as const

/** Every export, as CSV and as XLSX, is planned as unchanged throughout, with nothing to ask. */
export async function exportsComeBackUnchanged(school: School, { runs, students }: Runs): Promise<void> {
  const { registrar, add, classIds } = await prepared(school)
  const forms = ['.csv', '.csv?delimiter=%3B&bom=off', '.xlsx'] as const
  let rows = 0
  const property = fc.asyncProperty(
    fc.array(newStudents(classIds), { minLength: students, maxLength: students }),
    async (bodies) => {
      rows = await add(bodies)
      for (const form of forms) {
        const file = await exportedFile(school, registrar, `/api/students${form}`)
        const planned = await sentFile(school, registrar, file, '?mode=upsert')
        assert.equal(planned.state, 'planned', JSON.stringify(planned))
        assert.deepEqual(await rowsNotUnchanged(school, registrar, planned.id), [], form)
        assert.deepEqual([planned.counts.rows, planned.counts.unchanged], [rows, rows], form)
        assert.deepEqual(
          planned.questions.filter(({ required }: { required: boolean }) => required),
          [],
        )
        const codes = new Set(planned.warnings.map(({ code }: { code: string }) => code))
        assert.deepEqual([...codes], ['kept_by_server'], form)
      }
    },
  )
  await fc.assert(property, { numRuns: runs, examples: [[oddStudents(classIds)]], ...atOnce })
  assert.ok(rows > (runs * students) / 3, `the API took only ${rows} of ${runs * students} students`)
}

/**
 * A copy that a spreadsheet has damaged creates nobody, and changes no date. What else it changes is what the
 * spreadsheet did to that cell, and is shown. A row whose number was damaged is asked about, or refused; said to be the
 * same child, it leaves the number as it is.
 */
export async function survivesDamage(school: School, { runs, students }: Runs): Promise<void> {
  const { registrar, add, classIds } = await prepared(school)
  const property = fc.asyncProperty(
    fc.array(newStudents(classIds), { minLength: students, maxLength: students }),
    fc.constantFrom(...dateForms),
    fc.boolean(),
    async (bodies, form, isWithIds) => {
      await add(bodies)
      const path = '/api/students.csv?delimiter=%3B'
      const all = readCsv(await exportedFile(school, registrar, path), { delimiter: ';', isGuarded: false })
      const rows = isWithIds ? all : withoutIds(all)
      const header = rows[0]!
      const saved = [header, ...rows.slice(1).map((row) => row.map((cell) => damaged(cell, form)))]
      const planned = await planOf(saved, orderIn(form))
      const told = await rowsNotUnchanged(school, registrar, planned.id)
      const damage = (row: PlannedRow): Damaged => {
        const [before, after] = [rows[row.row - 1]!, saved[row.row - 1]!]
        return { row, header, before, after }
      }
      for (const one of told) checkShown(damage(one), false)
      const same = told.flatMap((one) => {
        const ids = [...new Set(one.cells.flatMap(({ ids = [] }) => ids))]
        const isSame = one.outcome === 'doubtful' && ids.length === 1
        return isSame ? [{ row: one.row, decision: 'same', id: ids[0] }] : []
      })
      if (same.length === 0) return
      const settled = await patched(school, registrar, planned, { decisions: same })
      for (const one of await rowsNotUnchanged(school, registrar, settled.id)) {
        if (!same.some(({ row }) => row === one.row)) continue
        checkShown(damage(one), true)
        const isChanged = one.cells.some(({ column, to }) => column === 'admission_number' && to)
        if (one.outcome === 'change' && hasLostZeros(damage(one))) assert.ok(!isChanged, JSON.stringify(one))
      }
    },
  )

  /** What a person is asked is answered: the order of days, no year of two digits, and that unknown classes are left out. */
  async function planOf(saved: readonly string[][], order: string) {
    let planned = await sentFile(school, registrar, savedFile(saved))
    for (let asked = 0; planned.state === 'question'; asked++) {
      assert.ok(asked < 5, JSON.stringify(planned.questions))
      const answers: Record<string, string> = {}
      for (const { key, required } of planned.questions) if (required) answers[key] = answerTo(key, order)
      planned = await patched(school, registrar, planned, { answers })
    }
    assert.equal(planned.state, 'planned', JSON.stringify(planned.failure))
    return planned
  }

  const examples = dateForms.map(
    (form, i) => [i === 0 ? oddStudents(classIds) : [], form, i % 2 === 0] as const,
  )
  await fc.assert(property, { numRuns: runs, examples: examples.map((one) => [...one]), ...atOnce })
}

function answerTo(key: string, order: string): string {
  if (key.startsWith('date_order.')) return order
  return key.startsWith('short_years.') ? 'refuse' : 'leave_out'
}

/** Without the columns that mean nothing to the user of a spreadsheet. */
function withoutIds(rows: readonly string[][]): string[][] {
  const left = ['id', 'class_id', 'created_at', 'updated_at']
  const at = rows[0]!.flatMap((name, i) => (left.includes(name) ? [] : [i]))
  return rows.map((row) => at.map((i) => row[i]!))
}

/** As a spreadsheet saves it: the guard against formulas is a part of the text. */
function savedFile(rows: readonly (readonly string[])[]): Buffer {
  const lines = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'))
  return Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`)
}

/** A row of a plan, and its cells as they were and as they are saved. */
interface Damaged {
  readonly row: PlannedRow
  readonly header: readonly string[]
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const dates = ['date_of_birth', 'fields.joined']

function checkShown({ row, header, before, after }: Damaged, isSettled: boolean): void {
  const isDamaged = (column: string) => before[header.indexOf(column)] !== after[header.indexOf(column)]
  const shown = JSON.stringify({ row, before, after })
  if (row.outcome === 'create')
    assert.ok(isDamaged('name') && isDamaged('admission_number') && !header.includes('id'), shown)
  if (row.outcome !== 'change') return
  assert.ok(isSettled || !isDamaged('admission_number'), shown)
  for (const { column } of row.cells) assert.ok(isDamaged(column) && !dates.includes(column), shown)
}

/** Whether the number has lost zeros at its beginning, and nothing else. */
function hasLostZeros({ header, before, after }: Damaged): boolean {
  const at = header.indexOf('admission_number')
  return before[at]!.replace(/^0+/, '') === after[at]
}
