import { type Members, type Schema, Type } from '../http/json-schema.ts'
import * as api from '../http/operation.ts'
import { count } from '../http/paging.ts'
import { limits } from '../sheets/limits.ts'
import { warningCodes } from './codes.ts'

/* What answers tell of the files of imports. */

/** A text that people read. */
export const text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] })

export const sheetName = (description: string) => text(limits.sheetName, description, '7a')

/** A code that is stored, so that the server writes what it finds; the document lists those that there are. */
export const storedCode = (
  title: string,
  codes: readonly string[],
  description: string,
  example: string,
): Schema<string> =>
  Type.Documented(text(100, description, example), { title, enum: [...new Set(codes)], maxLength: undefined })

/** What the sentence of a message depends on. */
export const sentenceParams = <Properties extends Members>(title: string, members: Properties) =>
  Type.Optional(
    Type.Object(Type.Partial(members), {
      title,
      description: 'What `detail` depends on, to say it in another language',
    }),
  )

const NotNamed = Type.Object(
  { label: text(100, 'Its label', '9d'), students: count('How many of its students are in no row', 23) },
  { title: 'ImportClassNotNamed' },
)

export const Warning = Type.Object(
  {
    code: storedCode('ImportWarningCode', warningCodes, 'Stable. New ones may come', 'blank_rows'),
    detail: text(1_000, 'A sentence for people', '2 rows are blank, and left out.'),
    params: sentenceParams('ImportWarningParams', {
      sheet: sheetName('The name of a sheet'),
      row: count('A row, as a spreadsheet numbers it', 3),
      rows: count('How many rows', 2),
      heading: text(32_768, 'The heading of a column', 'House'),
      column: text(200, 'What the column holds', 'created_at'),
      known: count('How many of `rows` tell of a child who is there with another number', 1),
      import: api.Id('The import that is meant', 12),
      classes: Type.Array(NotNamed, { maxItems: 20, description: 'The first classes that are meant' }),
      more: count('How many classes are meant besides', 0),
      named: count('How many classes the file names', 1),
      of: count('How many classes there are: those, and others with students who are in no row', 36),
    }),
  },
  { title: 'ImportWarning' },
)

const Sheet = Type.Object(
  {
    name: Type.Nullable(sheetName('Its name; null: a text file')),
    hidden: Type.Boolean({ description: 'Whether the spreadsheet hides it', examples: [false] }),
    header_row: Type.Nullable(count('The row of its header; null: it has none, and is not imported', 1)),
    rows: count('Rows below the header', 28),
    blank_rows: count('Blank rows, which are left out', 0),
    hidden_rows: count('Rows that the spreadsheet hides; they are imported', 0),
    repeated_headers: Type.Optional(count('Rows that are the header again, which are left out', 2)),
    rows_left_out: Type.Optional(
      count('Of a sheet that is not imported, or of another table in it: rows, headings among them', 0),
    ),
    other_table_row: Type.Optional(
      count('The first row with the headings of another table, which is left out', 31),
    ),
  },
  { title: 'ImportSheet' },
)

/** What is known of a file before it is read. */
export const namedFile = {
  name: Type.Nullable(text(200, 'What people call it', 'Year 7.xlsx')),
  format: Type.Nullable(
    Type.String({ enum: ['csv', 'xlsx', null], description: 'Null until it is known' } as object),
  ),
  bytes: count('How large it is', 48_213),
}

export const File = Type.Object(
  {
    ...namedFile,
    encoding: Type.Nullable(text(40, 'Of a text file, once it is read', 'utf-8')),
    delimiter: Type.Nullable(text(1, 'The same', ';')),
    header: Type.Nullable(
      Type.Array(text(32_768, 'A heading', 'Nachname'), {
        maxItems: limits.columns,
        description: 'Its headings',
      }),
    ),
    sheets: Type.Array(Sheet, { maxItems: 10_000, description: 'Its sheets, once they are read' }),
  },
  { title: 'ImportFile' },
)
