// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { readRows, rulesOf } from '../../test/reading-rules.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

/** Texts that are stored as they are, that are stored otherwise, and that are refused. */
const texts = [
  'Zoë',
  'Zoe\u0308',
  '  spaced  ',
  '0042',
  'zoe@School.example',
  'two@@signs',
  '2014-03-09',
  '2014-02-30',
  '1899-12-31',
  'a\tb',
  'a\r\nb',
  'a\u0000b',
  'a\u200bb',
  'a\u200db',
  'a\u202eb',
  '\ud800',
  '\u2800',
  '王小明',
  'عائشة',
  '😀',
  ...[50, 51, 100, 101, 254, 255, 256, 500, 501, 2_001].map((length) => 'x'.repeat(length)),
  'é'.repeat(255),
  `a${'\u0301'.repeat(40)}`,
]

const columns = [
  'name',
  'admission_number',
  'given_name',
  'family_name',
  'preferred_name',
  'former_names',
  'date_of_birth',
  'gender',
  'email',
  'address',
  'notes',
  'guardian_1_name',
  'guardian_1_phone',
  'guardian_1_email',
  'guardian_1_note',
  'identifiers.state',
]

/** Where a column stands in a body of the API. */
function pointerOf(column: string): string {
  const [, part] = /^guardian_1_(\w+)$/.exec(column) ?? []
  if (part !== undefined) return `/guardians/0/${part}`
  return column === 'identifiers.state' ? '/identifiers/0/value' : `/${column}`
}

/** A row as a body of the API. */
function bodyOf(row: Readonly<Record<string, string>>): object {
  const own = Object.entries(row).filter(([column]) => !/^(guardian|identifiers)/.test(column))
  const guardian = Object.entries(row).flatMap(([column, text]) =>
    column.startsWith('guardian_1_') ? [[column.slice('guardian_1_'.length), text]] : [],
  )
  const { 'identifiers.state': value } = row
  return {
    ...Object.fromEntries(own),
    class_id: 1,
    guardians: [Object.fromEntries(guardian)],
    identifiers: [{ system: 'state', value }],
  }
}

describe('a row of a file', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  it('is refused for what the API refuses, in its words, and gives what the API stores', async () => {
    let number = 0
    const row = fc.record(Object.fromEntries(columns.map((column) => [column, fc.constantFrom(...texts)])))
    const isCell = (column: string, text: string) => column !== 'identifiers.state' || !/[\r\n]/.test(text)
    await fc.assert(
      fc.asyncProperty(row, fc.nat(7), async (texts, kept) => {
        // Most rows have few bad cells: those besides hold what is good everywhere.
        const good = (column: string) =>
          column.includes('email')
            ? 'zoe@school.example'
            : column === 'date_of_birth'
              ? '2014-03-09'
              : `Zoë ${number++}`
        const cells = Object.fromEntries(
          columns.map((column, i) => {
            const isBad = (i + kept) % 8 < 3 && isCell(column, texts[column]!)
            return [column, isBad ? texts[column]! : good(column)]
          }),
        )
        const [read] = readRows(rulesOf(columns), [columns.map((column) => cells[column]!)])
        const { status, body, text } = await school.post('/api/students', bodyOf(cells), registrar)
        if (status === 422) {
          const told = read!.faults.map(({ column, code, detail }) => ({
            pointer: pointerOf(column),
            code,
            detail,
          }))
          const errors = body.errors.map(({ params: _, ...error }: { params?: object }) => error)
          const byPointer = (one: { pointer: string }, other: { pointer: string }) =>
            one.pointer < other.pointer ? -1 : 1
          return assert.deepEqual(told.sort(byPointer), errors.sort(byPointer))
        }
        assert.deepEqual(read!.faults, [], text)
        if (status === 409) return // another row had the number or the identifier
        assert.equal(status, 201, text)
        const { data } = (await school.get(`/api/students/${body.data.id}`, registrar)).body
        const stored = columns.map((column) => {
          const [, part] = /^guardian_1_(\w+)$/.exec(column) ?? []
          if (part !== undefined) return [column, data.guardians[0][part]]
          return [column, column === 'identifiers.state' ? [data.identifiers[0].value] : data[column]]
        })
        assert.deepEqual(read!.values, Object.fromEntries(stored))
      }),
      { numRuns: 150 },
    )
  })
})
