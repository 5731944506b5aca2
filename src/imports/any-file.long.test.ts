// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { knownHeadings } from '../../test/known-headings.ts'
import { ownField, readRows, rulesOf, surveyOf } from '../../test/reading-rules.ts'
import { mapColumns } from './columns/column-mapping.ts'
import { type Answer, importModes, type Settings } from './model.ts'
import type { ReadingRules } from './reading-rules.ts'

const known = [
  ...knownHeadings('students').flatMap(({ headings }) => headings),
  ...[
    'Name',
    'Nom',
    'Nombre',
    'الاسم',
    'name',
    'id',
    'ID',
    'class_id',
    'Klasse',
    'Form',
    'Phone',
    'House',
    '',
  ],
  ...[
    "Mother's phone",
    'Mutter',
    'Father',
    'Parent 2 email',
    'guardian_1_name',
    'identifiers.UPN',
    'Bus',
    'bus',
  ],
]
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    '',
    ' ',
    '-',
    '3',
    '03.04.2014',
    '25/12/2014',
    '12/25/2014',
    'yes',
    'Oak',
    'Year 8',
    'Year 9',
    'Zoë',
  ),
)
const header = fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, text), { maxLength: 9 })
const rows = fc.array(fc.array(text, { maxLength: 11 }), { maxLength: 12 })
const school: Partial<ReadingRules> = {
  fields: [
    ownField('house', 'several_of', { options: ['Oak', 'Elm'] }),
    ownField('joined', 'date'),
    ownField('bus', 'yes_no', { archived: true }),
  ],
}
const more = fc.record({
  mode: fc.constantFrom(...importModes),
  format: fc.constantFrom('csv' as const, 'xlsx' as const),
  mayCreateFields: fc.boolean(),
  mayCreateClasses: fc.boolean(),
})

/** The header of a spreadsheet, as it is read: with its columns that have no heading. */
function padded(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(header.length, ...rows.map((row) => row.length))
  return Array.from({ length: width }, (_, i) => header[i] ?? '')
}

/** Answers questions by one of their choices each, round by round, until nothing is required any more. */
function answerAll(
  rules: ReadingRules,
  rows: readonly (readonly string[])[],
  pick: (choices: number) => number,
): Settings {
  let settings: Settings = {}
  for (let round = 0; round < 8; round++) {
    const survey = surveyOf({ ...rules, settings }, rows)
    const required = [...survey.questions()].filter(({ required }) => required)
    if (required.length === 0) return settings
    const answers = required.map(({ key, choices }): [string, Answer] => {
      assert.ok(choices.length > 0, key)
      return [key, choices[pick(choices.length)]!.answer]
    })
    settings = { ...settings, ...Object.fromEntries(answers) }
  }
  return assert.fail(`it asks again and again: ${JSON.stringify({ header: rules.header, rows, settings })}`)
}

describe('any file', () => {
  it('is planned once the proposed answers are given, and no cell of it is dropped in silence', () => {
    fc.assert(
      fc.property(header, rows, more, (header, rows, more) => {
        const rules = rulesOf(more.format === 'xlsx' ? padded(header, rows) : header, { ...school, ...more })
        const settings = answerAll(rules, rows, () => 0)
        const { mapped } = mapColumns({ ...rules, settings })
        for (const [i, { values, faults, id, leftOut }] of readRows(rules, rows, settings).entries()) {
          const cells = rows[i]!.filter((cell, at) => cell.trim() !== '' && mapped[at]?.column !== null)
          const isTold =
            Object.keys(values).length > 0 || faults.length > 0 || id !== undefined || leftOut !== undefined
          assert.ok(cells.length === 0 || isTold, JSON.stringify(rows[i]))
          const given = mapped.filter(({ at, column }) => column && (rows[i]![at] ?? '').trim() !== '')
          for (const { column } of given) {
            const [name, of] =
              column === 'class'
                ? ['class_id', 'class']
                : [column!, column === 'class_id' ? 'class' : column!]
            const isThere =
              name in values ||
              name === 'id' ||
              leftOut !== undefined ||
              faults.some((one) => one.column === of)
            assert.ok(isThere, `${column} of ${JSON.stringify(rows[i])}`)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('takes any answer, good or bad, without breaking', () => {
    const answer = fc.oneof(
      fc.constantFrom(
        'leave_out',
        'new_field',
        'create',
        'sheet',
        'name',
        'class',
        'fields.house',
        'guardian_10_note',
        'identifiers.',
        '*1',
        'day_first',
        '1927',
        'relation',
        'Guardian',
      ),
      text,
      fc.integer(),
    )
    const heading = fc.oneof(fc.constantFrom(...known), text)
    const key = fc.oneof(
      fc.constantFrom('name_order', 'guardian_name', 'class_id', 'admission_number', 'match', 'clear'),
      fc
        .tuple(fc.constantFrom('column.', 'date_order.', 'short_years.', 'class.'), heading)
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(header, rows, more, fc.dictionary(key, answer), (header, rows, more, settings) => {
        const rules = rulesOf(header, { ...school, ...more, settings })
        const survey = surveyOf(rules, rows)
        for (const { key, choices } of survey.questions())
          assert.ok(key === 'clear' || choices.length > 0, key)
        assert.ok(
          [undefined, 'no_match_column', 'no_rows'].includes(survey.refusal()?.code),
          survey.refusal()?.code,
        )
        assert.equal(readRows(rules, rows).length, rows.length)
      }),
      { numRuns: 500 },
    )
  })
})
