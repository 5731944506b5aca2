import { placeOf } from '../src/events/import-note.ts'
import type { Field } from '../src/fields/queries.ts'
import { rowReader } from '../src/imports/cells/row-reader.ts'
import type { RowValues } from '../src/imports/cells/row-values.ts'
import type { Settings } from '../src/imports/model.ts'
import { Survey } from '../src/imports/questions/survey.ts'
import type { ReadingRules } from '../src/imports/reading-rules.ts'

/** A field of the school's own. */
export function ownField(key: string, kind: Field['kind'], more: Partial<Field> = {}): Field {
  const label = key[0]!.toUpperCase() + key.slice(1)
  const made = { id: 1, key, label, kind, options: null, sensitive: false, position: 0, archived: false }
  return { ...made, version: 1, updated_at: '', ...more }
}

/** A file of one sheet with this header, at a school with four classes. */
export function rulesOf(header: readonly string[], more: Partial<ReadingRules> = {}): ReadingRules {
  return {
    kind: 'students',
    mode: 'upsert',
    header,
    sheets: [{ name: null, hidden: false, header_row: 1, rows: 1, blank_rows: 0, hidden_rows: 0 }],
    settings: {},
    fields: [ownField('house', 'one_of', { options: ['Oak', 'Elm'] })],
    classes: ['Year 7 A', 'Year 7 B', 'Year 8', 'Year 13'].map((label, i) => ({
      ...{ id: i + 1, label, archived: label === 'Year 13', usable: true },
    })),
    thisYear: 2026,
    nameOrder: 'given_first',
    nextNumber: '2026-0043',
    seesStudents: true,
    mayCreateClasses: true,
    mayCreateFields: true,
    ...more,
  }
}

/** Looks through rows, from the second of the first sheet on. */
export function surveyOf(rules: ReadingRules, rows: readonly (readonly string[])[]): Survey {
  const survey = new Survey(rules)
  for (const [i, cells] of rows.entries()) survey.add({ place: placeOf(0, i + 2), cells })
  return survey
}

/** The questions without an answer of which there is no plan, by their keys: the answers that are proposed. */
export function requiredOf(survey: Survey): Record<string, (string | number)[]> {
  const required = survey.questions().filter(({ required }) => required)
  return Object.fromEntries(required.map(({ key, choices }) => [key, choices.map(({ answer }) => answer)]))
}

/** Reads rows as they are read once these answers are given. */
export function readRows(
  rules: ReadingRules,
  rows: readonly (readonly string[])[],
  settings: Settings = {},
): RowValues[] {
  const answered = { ...rules, settings: { ...rules.settings, ...settings } }
  const decided = surveyOf(answered, rows).decided()
  const reader = rowReader({ ...answered, settings: { ...answered.settings, ...decided } })
  return rows.map((cells, i) => reader.read(placeOf(0, i + 2), cells))
}
