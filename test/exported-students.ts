import assert from 'node:assert/strict'
import fc from 'fast-check'
import { hasLongRunOfMarks, isKeyText, isName, isPrintable, tidy, tidyLines } from '../src/text/normalise.ts'
import type { Person, School } from './school.ts'

/* Students of every kind, whose export is imported again. */

/** What formulas, spreadsheets and readers of CSV take for something else, and texts of many scripts. */
const odd = [
  ...["'=1", "''=1+1", "'", "'a", '=1+1', '+49', '-1', '-', '@a', '#N/A', '_x0041_', '<b>&amp;'],
  ...['0042', '0', '00', '1e5', '3/4', '2014-03-09', '01712345678', '12345678901234567890', '1,5', 'TRUE'],
  ...['"a", b;c', "O'Hara", 'x;y', 'a|b', '"', '""', 'null', 'sep=;', '\ufeffa', 'a\u00a0b', '１２', 'Ⅷ'],
  ...[
    'Zoe\u0308',
    'عائشة',
    '王小明',
    'ज़ोया',
    'Зоя',
    '𝒵oe',
    '👩\u200d👧',
    'נועה',
    'ปลา',
    'a\u0323\u0307',
    'ẞß',
  ],
]

const anyText = fc.oneof(
  fc.constantFrom(...odd),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
)

const text = anyText.filter((one) => tidy(one) !== '' && isPrintable(tidy(one)) && !hasLongRunOfMarks(one))
const name = text.filter((one) => isName(tidy(one)))
const key = text.filter((one) => isKeyText(tidy(one)))
/** Numbers that a spreadsheet takes for numbers, days or none; but no error of a formula, by which nobody is found. */
const number = fc.oneof(
  key.filter((one) => tidy(one) !== '#N/A'),
  fc.integer({ min: 0, max: 9_999 }).map((one) => String(one).padStart(6, '0')),
  fc.integer({ min: 0, max: 9_999 }).map((one) => `${2026 - (one % 3)}-${String(one).padStart(4, '0')}`),
  fc.constantFrom('042', '42', '4-2', '1e5', '12345678901234567890', '3/4', '2014-03-09', '00', '0'),
)
const breaks = fc.constantFrom('\n', '\r\n', '\n\n', '\t', '\n\t=', "\n'=", '\n;')
const lines = fc
  .tuple(text, fc.array(fc.tuple(breaks, text), { maxLength: 3 }))
  .map(([first, others]) => `${first}${others.map((one) => one.join('')).join('')}`)
  .filter((one) => tidyLines(one) !== '')
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2026-08-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const guardian = fc.record(
  {
    name: fc.oneof(name, fc.constant('Jo Nord')),
    relation: fc.oneof(text, fc.constantFrom('mother', 'father')),
    phone: fc.oneof(text, fc.constant('01712345678')),
    email: fc.constant('jo@family.example'),
    address: lines,
    note: lines,
  },
  { requiredKeys: ['name'] },
)

const options = ['Oak', 'Elm', 'Art, music', 'a;b', '1,5', 'yes', '=1', '007']

const ownFields = [
  { label: 'House', kind: 'one_of', options },
  { label: 'Clubs', kind: 'several_of', options },
  { label: 'Bus', kind: 'yes_no' },
  { label: 'Height', kind: 'number' },
  { label: 'Joined', kind: 'date' },
  { label: 'Remark', kind: 'text', sensitive: true },
  { label: 'Story', kind: 'text_in_lines' },
]

const values = fc.record(
  {
    house: fc.constantFrom(...options),
    clubs: fc.subarray(options, { minLength: 1 }),
    bus: fc.boolean(),
    height: fc.oneof(
      fc.integer(),
      fc.constantFrom(1.234, -999.125),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
    joined: day,
    remark: text,
    story: lines,
  },
  { requiredKeys: [] },
)

/** A name by itself, one that is joined from its parts, or both. */
const named = fc.oneof(
  fc.record({ name }),
  fc.record({ given_name: name, family_name: name }, { requiredKeys: ['family_name'] }),
  fc.record({ name, given_name: name, family_name: name }, { requiredKeys: ['name', 'given_name'] }),
)

/** Bodies of `POST /api/students`, most of which it takes. */
export const newStudents = (classIds: readonly number[]) =>
  fc
    .tuple(
      named,
      fc.record({ admission_number: number, class_id: fc.constantFrom(...classIds) }),
      fc.record(
        {
          preferred_name: name,
          former_names: text,
          date_of_birth: day,
          gender: text,
          email: fc.constant('zoe@school.example'),
          address: lines,
          notes: lines,
          guardians: fc.oneof(
            fc.array(guardian, { maxLength: 3 }),
            fc.array(guardian, { minLength: 10, maxLength: 10 }),
          ),
          identifiers: fc.array(
            fc.record({ system: fc.constantFrom('state', 'State', '=UPN', '王'), value: key }),
            { maxLength: 4 },
          ),
          fields: values,
        },
        { requiredKeys: [] },
      ),
    )
    .map((parts) => Object.assign({}, ...parts) as Readonly<Record<string, unknown>>)

/** One student for each odd text, which stands wherever it is taken. */
export function oddStudents(classIds: readonly number[]): object[] {
  return odd.map((one, i) => ({
    ...{ name: `Odd ${i}`, admission_number: `odd-${i}`, class_id: classIds[i % classIds.length] },
    ...{ notes: `${one}\n${one}`, address: one, gender: one, fields: { remark: one, story: one } },
    guardians: [{ name: `Guardian ${i}`, phone: one, note: one }],
  }))
}

/** A school with classes of odd labels, one of which is to be archived, and a field of each kind. */
export async function prepare(
  school: School,
): Promise<{ administrator: Person; classIds: number[]; archivedId: number }> {
  const administrator = await school.person('administrator')
  for (const field of ownFields) await created(school, '/api/fields', field, administrator)
  const labels = ['=1+1', "'=x", '7a', '007', 'Year 8', 'الصف', '3/4', 'Archived']
  const classIds: number[] = []
  for (const label of labels) classIds.push(await created(school, '/api/classes', { label }, administrator))
  return { administrator, classIds, archivedId: classIds.at(-1)! }
}

async function created(school: School, path: string, body: object, as: Person): Promise<number> {
  const { status, text, body: answer } = await school.post(path, body, as)
  assert.equal(status, 201, text)
  return answer.data.id
}

/** Archives a class, or restores it. */
export async function archive(school: School, as: Person, id: number, archived: boolean): Promise<void> {
  const change = { as, body: { archived }, headers: { 'if-match': '*' } }
  const { status, text } = await school.send('PATCH', `/api/classes/${id}`, change)
  assert.equal(status, 200, text)
}

/** The bytes of an export. */
export async function exportedFile(school: School, as: Person, path: string): Promise<Buffer> {
  const answer = await school.inject({ url: path, headers: { authorization: `Bearer ${as.token}` } })
  assert.equal(answer.statusCode, 200, answer.payload)
  return answer.rawPayload
}

/** Sends a file, and waits for what it is then. */
export async function sentFile(school: School, as: Person, payload: Buffer, query = '') {
  const headers = { 'content-type': 'application/octet-stream' }
  const { status, text, body } = await school.send('POST', `/api/imports${query}`, { as, payload, headers })
  assert.equal(status, 202, text)
  return importNow(school, as, body.data.id)
}

/** An import once no step is at work on it, with its tag. */
export async function importNow(school: School, as: Person, id: number) {
  await school.app.importJobs.idle()
  const { status, body, headers, text } = await school.get(`/api/imports/${id}`, as)
  assert.equal(status, 200, text)
  return { ...body.data, tag: String(headers.etag) }
}

/** Answers questions, or decides rows, and waits for what the import is then. */
export async function patched(
  school: School,
  as: Person,
  { id, tag }: { readonly id: number; readonly tag: string },
  body: object,
) {
  const headers = { 'if-match': tag }
  const { status, text } = await school.send('PATCH', `/api/imports/${id}`, { as, body, headers })
  assert.equal(status, 200, text)
  return importNow(school, as, id)
}

/** The rows of its plan that are not unchanged. */
export async function rowsNotUnchanged(school: School, as: Person, id: number) {
  const { body } = await school.get(`/api/imports/${id}/rows?per_page=1000`, as)
  return (body.data as PlannedRow[]).filter(({ outcome }) => outcome !== 'unchanged')
}

export interface PlannedRow {
  readonly row: number
  readonly outcome: string
  readonly id?: number
  readonly cells: readonly {
    readonly column: string
    readonly from?: string | null
    readonly to?: string | null
    readonly code?: string
    readonly detail?: string
    readonly ids?: readonly number[]
  }[]
}
