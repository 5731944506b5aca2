// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ownField, readRows, requiredOf, rulesOf, surveyOf } from '../../test/reading-rules.ts'
import { guardianParts } from '../exports/headings.ts'
import { headerOf, rowMaker, type SheetPlan } from '../exports/sheet-plan.ts'
import { detailNames } from '../students/details.ts'
import { listColumns } from '../students/lists/columns.ts'
import { uniqueKey } from '../text/normalise.ts'
import { isFault, type ReadCell, readerOf } from './cells/cell-readers.ts'

const options = ['Oak', 'Elm', 'Art, music', 'a;b', '1,5', 'yes']
const fields = [
  ownField('house', 'one_of', { options }),
  ownField('clubs', 'several_of', { options }),
  ownField('bus', 'yes_no'),
  ownField('height', 'number'),
  ownField('joined', 'date'),
  ownField('remark', 'text'),
  ownField('story', 'text_in_lines'),
]

const classes = ['Class 1', 'Class 10', 'class-1', '７', 'الصف'].map((label, i) => ({
  ...{ id: i + 1, label, archived: i === 1, usable: true },
}))

const anyText = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    "'=1",
    '=1+1',
    '-',
    'null',
    'true',
    '0042',
    '1e5',
    '3/4/2014',
    'Zoe\u0308',
    'a\r\nb',
    '09.03.14',
    'x;y',
  ),
)

/** What a reader makes of texts: what is stored, since it is stored so. */
function storedBy(read: ReadCell | undefined): fc.Arbitrary<string> {
  return anyText
    .filter((text) => text.trim() !== '')
    .map((text) => read!(text))
    .filter((value): value is string => !isFault(value) && typeof value === 'string' && value !== '')
}

const nullable = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const textOf = (column: string) => storedBy(readerOf(column, undefined))
const names = listColumns.map(({ name }) => name)
const details = detailNames.filter((name) => name !== 'email' && name !== 'date_of_birth')

const guardian = fc.record(
  Object.fromEntries(
    guardianParts.map((part) => {
      const text = part === 'email' ? fc.constant('joerg@family.example') : textOf(`guardian_1_${part}`)
      return [part, part === 'name' ? text : nullable(text)]
    }),
  ),
)

const value = storedBy((cell) => {
  const read = readerOf('identifiers.state', undefined)!(cell)
  return Array.isArray(read) ? read[0]! : read
})

const student = fc.record({
  id: fc.integer({ min: 1 }),
  ...Object.fromEntries(details.map((name) => [name, nullable(textOf(name))])),
  name: textOf('name'),
  admission_number: textOf('admission_number'),
  class: fc.constantFrom(...classes),
  date_of_birth: nullable(day),
  email: nullable(fc.constant('zoe@school.example')),
  guardians: nullable(fc.array(guardian, { minLength: 1, maxLength: 3 })),
  identifiers: nullable(
    fc.uniqueArray(fc.record({ system: fc.constantFrom('state', 'UPN'), value }), {
      ...{ minLength: 1, maxLength: 3 },
      selector: ({ value }) => uniqueKey(String(value)),
    }),
  ),
  'fields.house': nullable(fc.constantFrom(...options)),
  'fields.clubs': nullable(
    fc.subarray(options, { minLength: 1 }), // in the order of the options, as it is stored
  ),
  'fields.bus': nullable(fc.boolean()),
  'fields.height': nullable(fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0)),
  'fields.joined': nullable(day),
  'fields.remark': nullable(storedBy(readerOf('fields.remark', fields[5]))),
  'fields.story': nullable(storedBy(readerOf('fields.story', fields[6]))),
  created_at: fc.constant('2026-09-01T08:00:00.000Z'),
  updated_at: fc.constant('2026-09-01T08:00:00.000Z'),
})

type Listed = Readonly<Record<string, unknown>>

/** A student as a slice of an export has it. */
function valuesOf(student: Listed, columns: readonly string[]): unknown[] {
  const { label, id } = student.class as Listed
  return columns.map((column) => (column === 'class' ? label : column === 'class_id' ? id : student[column]))
}

/** What a row gives that changes nothing. */
function flat({ id: _, guardians, identifiers, class: of, ...student }: Listed): Record<string, unknown> {
  const { created_at: _created, updated_at: _updated, ...plain } = student
  const ofGuardians = ((guardians ?? []) as Listed[]).flatMap((one, i) =>
    guardianParts.map((part) => [`guardian_${i + 1}_${part}`, one[part]]),
  )
  const all = (identifiers ?? []) as { system: string; value: string }[]
  const bySystem = Map.groupBy(all, ({ system }) => `identifiers.${system}`)
  const ofSystems = [...bySystem].map(([name, ones]) => [name, ones.map(({ value }) => value)])
  const entries = [...Object.entries({ ...plain, class_id: (of as Listed).id }), ...ofGuardians, ...ofSystems]
  return Object.fromEntries(entries.filter(([, value]) => value !== null))
}

describe('what an export writes', () => {
  const columns = [...names, ...fields.map(({ key }) => `fields.${key}`)]
  const plan: SheetPlan = {
    columns,
    guardians: 3,
    systems: ['state', 'UPN'].map((name) => ({ name, spellings: [name] })),
  }

  it('is read back as it was, with nothing to ask, in every script', () => {
    const header = headerOf(plan)
    const rules = rulesOf(header, { fields, classes, mayCreateFields: false })
    const makeRow = rowMaker(plan)
    fc.assert(
      fc.property(fc.array(student, { minLength: 1, maxLength: 4 }), (students) => {
        const rows = students.map((one) => makeRow(valuesOf(one, columns)))
        assert.deepEqual(requiredOf(surveyOf(rules, rows)), {})
        const read = readRows(rules, rows)
        for (const [i, { values, faults, implied, leftOut, id }] of read.entries()) {
          assert.deepEqual(
            { faults, implied, leftOut, id },
            { faults: [], implied: undefined, leftOut: undefined, id: students[i]!.id },
          )
          assert.deepEqual({ ...values }, flat(students[i]!))
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('is read back in any order of columns, and with few of them', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(columns, { minLength: 1 }), student, (some, one) => {
        const part = { ...plan, columns: some }
        const [header, cells] = [headerOf(part), rowMaker(part)(valuesOf(one, some))]
        const rules = rulesOf(header, { fields, classes, mode: 'update' })
        const [{ values, faults } = { values: {}, faults: [] }] = readRows(rules, [cells])
        const whole = flat(one)
        assert.deepEqual(faults, [])
        for (const [name, value] of Object.entries(values)) assert.deepEqual(value, whole[name], name)
      }),
      { numRuns: 1_000 },
    )
  })
})
