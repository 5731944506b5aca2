import { maxLabelLength, maxOptions } from '../fields/kinds.ts'
import { type Schema, Type } from '../http/json-schema.ts'
import * as api from '../http/operation.ts'
import { count } from '../http/paging.ts'
import { cellCodes } from './codes.ts'
import { sentenceParams, sheetName, storedCode, text } from './file-messages.ts'
import { type Decision, decisions, outcomes } from './model.ts'

/* What is told of the rows of an import, and what is decided on them. */

/** Where a row stands. */
const place = {
  row: Type.Integer({
    minimum: 1,
    maximum: 2_097_151,
    description: 'The row, as a spreadsheet numbers it',
    examples: [37],
  }),
  sheet: Type.Optional(sheetName('The name of its sheet, where there are several')),
}

/** What a person decides on a row. */
export const RowDecision = Type.Object(
  {
    ...place,
    decision: {
      type: ['string', 'null'],
      enum: [...decisions, null],
      description:
        '`same`: it is this student; `same_keep_name`: the same, and the name stays; `new`: another child; `leave_out`: the row is; null takes back what was decided',
      examples: ['new'],
    } as Schema<Decision | null>,
    id: Type.Optional(api.Id('The student, with `same` and `same_keep_name` alone', 7)),
  },
  { title: 'RowDecision', additionalProperties: false },
)

const cellText = (description: string) =>
  Type.Optional(Type.Nullable(Type.String({ maxLength: 32_768, description, examples: ['2014-03-09'] })))

const Cell = Type.Object(
  {
    column: text(200, 'The name of the column; `row`: of the row as a whole', 'date_of_birth'),
    from: cellText('What stands in the record; null: nothing'),
    to: cellText('What would stand there, or what is wrong; null: nothing'),
    code: Type.Optional(
      storedCode(
        'PlannedCellCode',
        cellCodes,
        'Why the row is refused, left out or doubtful. New ones may come',
        'invalid_format',
      ),
    ),
    detail: Type.Optional(text(1_000, 'The same, for people', 'must be a day of the calendar')),
    params: sentenceParams('PlannedCellParams', {
      accepted: Type.Array(text(maxLabelLength, 'An option', 'Oak'), {
        maxItems: maxOptions,
        description: 'The options that the field has now, where these have at most 200 characters in all',
      }),
      limit: count('The most items or characters', 255),
      row: count('Another row that holds the same', 5),
      sheet: count('The place of its sheet, from 1; none: the first', 2),
      sheet_name: sheetName('The name of its sheet, where there are several'),
      unseen: text(10, 'A character that nobody sees, and that may not stand there', 'U+200B'),
      lacking: Type.Array(text(200, 'The name of a column', 'class'), {
        maxItems: 3,
        description: 'What a new student would need, and the file has no column for',
      }),
      year_digits: count('How many digits the year of a date must have', 4),
      permission: text(60, 'The permission that the account lacks', 'students.update'),
    }),
    ids: Type.Optional(
      Type.Array(api.Id('A student who may be this child, or who has what is taken', 7), {
        maxItems: 100,
        description: 'Students who may be this child, or who have what is taken',
      }),
    ),
    hidden: Type.Optional(Type.Boolean({ const: true, description: 'The caller may not see the values' })),
  },
  { title: 'PlannedCell' },
)

const outcome = Type.Enum([...outcomes, 'missing'], {
  description: 'What comes of the row',
  examples: ['change'],
})

/** What is planned for a row. */
export const PlannedRow = Type.Object(
  {
    ...Type.Partial({
      row: {
        ...place.row,
        description:
          'The row, as a spreadsheet numbers it. Absent: a student who is `missing`, or a class or a field that an undo left',
      },
    }),
    sheet: place.sheet,
    outcome,
    called: Type.Optional(
      text(500, 'How the file calls the child, or the class, as long as its rows are kept', 'Zoë Müller'),
    ),
    id: Type.Optional(api.Id('The record that it is, or has made', 7)),
    decision: Type.Optional(
      Type.Enum(decisions, { description: 'What was decided on it', examples: ['new'] }),
    ),
    cells: Type.Array(Cell, {
      maxItems: 1_000,
      description:
        'What the plan says of its cells. A column may stand here twice: with its value, and with a reason that has no `to`',
    }),
    outdated: Type.Boolean({ description: 'Whether its record changed since an earlier plan' }),
    kept: Type.Optional(
      Type.Array(text(120, 'A field', 'address'), {
        maxItems: 200,
        description:
          'Members that an undo left as they were, since they were changed afterwards. `students`: of a class or a field that others use',
      }),
    ),
  },
  { title: 'PlannedRow' },
)

/** Rows whose changes are alike. */
export const RowGroup = Type.Object(
  { count: count('How many rows', 28), first: PlannedRow },
  { title: 'PlannedRowGroup' },
)
