import type { Static } from '../../http/json-schema.ts'
import type { warningCodes } from '../codes.ts'
import { type ColumnMapping, type MappedColumn, ownFieldOf } from '../columns/column-mapping.ts'
import { inWords, keptByServer, systemOf } from '../columns/columns.ts'
import { guardianOf } from '../columns/guardian-columns.ts'
import { reasonsHeading } from '../columns/headings.ts'
import type * as messages from '../file-messages.ts'
import type { ReadingRules } from '../reading-rules.ts'
import { begin } from '../row-places.ts'

/** What people ought to know of a file. */
export interface Warning {
  readonly code: (typeof warningCodes)[number]
  /** A sentence. */
  readonly detail: string
  readonly params?: WarningParams
}

/** What the sentence depends on, so that a client can translate it. */
export type WarningParams = Readonly<NonNullable<Static<typeof messages.Warning>['params']>>

/** Of a file with people who are no students, by a column such as `role`. */
export function otherRoles(heading: string, rows: number): Warning {
  const people = rows === 1 ? 'one row is' : `${rows} rows are`
  const detail = `By the column "${heading}", ${people} of somebody who is no student, and would make a student. Take such rows out of the file, or leave them out.`
  return { code: 'other_roles', detail, params: { heading, rows } }
}

/** Of a file that gives very many children one date of birth. */
export const namesNotCompared: Warning = {
  code: 'names_not_compared',
  detail:
    'Too many rows and students have one date of birth: not all names that differ in one character are found.',
}

/** Of a file that a spreadsheet has written, which took texts for numbers. */
export function zerosLost(heading: string, rows: number): Warning {
  const lacking = rows === 1 ? 'one cell lacks' : `${rows} cells lack`
  const detail = `In the column "${heading}", ${lacking} the zeros, or the +, at the beginning of what stands there. A spreadsheet takes them away. Leave the column out if they are to stay.`
  return { code: 'zeros_lost', detail, params: { heading, rows } }
}

/** Of phones that lack a zero in front, which most others of the column have. */
export function zerosMissing(heading: string, rows: number): Warning {
  const cells = rows === 1 ? 'one phone number has' : `${rows} phone numbers have`
  const detail = `In the column "${heading}", ${cells} no zero at the beginning, and most others do. A spreadsheet takes it away. Write it again.`
  return { code: 'zeros_missing', detail, params: { heading, rows } }
}

/** Of a file that a spreadsheet has written, which keeps fifteen digits of a number, and shows it as `4.91E+14`. */
export function digitsLost(heading: string, rows: number): Warning {
  const cells = rows === 1 ? 'one cell has' : `${rows} cells have`
  const detail = `In the column "${heading}", ${cells} a number such as 4.91E+14 or 4910000000000000, of which a spreadsheet kept the first digits alone. Write the whole numbers, or leave the column out.`
  return { code: 'digits_lost', detail, params: { heading, rows } }
}

/** Of a file that was saved in an encoding that lacks some of its letters. */
export function lettersLost(heading: string, rows: number): Warning {
  const cells = rows === 1 ? 'one cell has' : `${rows} cells have`
  const detail = `In the column "${heading}", ${cells} a question mark in place of a letter. A spreadsheet that saves CSV in an old encoding takes letters away. Save the file as .xlsx, and send that.`
  return { code: 'letters_lost', detail, params: { heading, rows } }
}

/** Of a file that changes something, though the same file was applied before. */
export function importedBefore(before: number): Warning {
  const detail = `This file was imported before, as import ${before}. What was changed since, by hand or by another file, may go back to what the file says.`
  return { code: 'imported_before', detail, params: { import: before } }
}

/** The classes that the rows of a file name. */
export interface NamedClasses {
  readonly named: number
  /** Other classes, in their order, with students who are in no row and whom somebody sees. An archived one is none. */
  readonly others: readonly { readonly label: string; readonly students: number }[]
}

/** How many classes are told by their labels. */
const mostClasses = 20

/** Of a mirror whose file does not name all classes: of the others nobody is missing. To lack most is usual. */
export function classesNotNamed({ named, others }: NamedClasses): Warning[] {
  if (others.length === 0) return []
  const of = named + others.length
  if (others.length > Math.max(named, 1)) {
    const detail = `The file names ${named} of ${of} classes; the others were not compared.`
    return [{ code: 'most_classes_not_named', detail, params: { named, of } }]
  }
  const classes = others.slice(0, mostClasses)
  const more = others.length - classes.length
  const told = classes.map(
    ({ label, students }) => `${label} (${students} ${students === 1 ? 'student' : 'students'})`,
  )
  const besides = more === 0 ? '' : `, and ${more} more`
  const detail = `Not compared, since no row names the class: ${told.join(', ')}${besides}.`
  return [{ code: 'classes_not_named', detail, params: { classes, more } }]
}

/** Columns whose texts a spreadsheet damages where it holds them as numbers. */
function holdsTexts(column: string, mapping: ColumnMapping): boolean {
  const part = guardianOf(column)?.part ?? column
  const isText = ['admission_number', 'phone', 'address'].includes(part) || systemOf(column) !== undefined
  return isText || ownFieldOf(mapping, column)?.kind === 'text'
}

/**
 * All of a file.
 * @param columns with the number of rows that have a value in each
 * @param rows how many there are, and how many are blank besides those that the sheets tell of
 */
export function warningsOf(
  { sheets, numeric = [] }: Pick<ReadingRules, 'sheets' | 'numeric'>,
  mapping: ColumnMapping,
  columns: readonly (MappedColumn & { readonly rows: number })[],
  { all, blank: blankRows }: { readonly all: number; readonly blank: number },
): Warning[] {
  const ofSheets = sheets.flatMap((sheet): Warning[] => {
    const { name, hidden, header_row, rows, hidden_rows, rows_left_out: lost, other_table_row: other } = sheet
    const about = name === null ? {} : { sheet: name }
    const called = name === null ? 'the file' : `the sheet "${name}"`
    if (header_row === null)
      return [
        {
          code: 'sheet_left_out',
          detail: `${begin(called)} has another header than the first, or none${lost ? `: its ${counted(lost)} left out. If they are students or classes, send the sheet as a file of its own.` : ', and is left out.'}`,
          params: { ...about, ...(lost !== undefined && { rows: lost }) },
        },
      ]
    return [
      ...when(
        header_row > 1,
        'rows_above_header',
        `${begin(called)} has its header in row ${header_row}; what stands above is left out.`,
        { ...about, row: header_row },
      ),
      ...when(
        other !== undefined,
        'other_table',
        `${begin(called)} has other headings in row ${other}. That row and those below it are left out: ${lost === 1 ? 'one row is' : `${lost} rows are`}. Send them as a file of their own.`,
        { ...about, ...(other !== undefined && { row: other }), ...(lost !== undefined && { rows: lost }) },
      ),
      ...when(hidden, 'hidden_sheet', `${begin(called)} is hidden, and its ${counted(rows)} imported.`, {
        ...about,
        rows,
      }),
      ...when(hidden_rows > 0, 'hidden_rows', `In ${called}, ${counted(hidden_rows)} hidden, and imported.`, {
        ...about,
        rows: hidden_rows,
      }),
    ]
  })
  const blank =
    blankRows +
    sheets.reduce((sum, { header_row, blank_rows }) => sum + (header_row === null ? 0 : blank_rows), 0)
  const repeated = sheets.reduce((sum, { repeated_headers = 0 }) => sum + repeated_headers, 0)
  const tellsIds = columns.some(({ column }) => column === 'class_id')
  const ofColumns = columns.flatMap(({ at, heading, column, rows }): Warning[] => [
    ...when(
      column === undefined && rows === 0 && !heading.startsWith('(column '),
      'empty_column',
      `The column "${heading}" is not known, has no value, and is left out.`,
      { heading },
    ),
    ...when(
      keptByServer.includes(column ?? ''),
      'kept_by_server',
      column === reasonsHeading
        ? `The first column, "${reasonsHeading}", is not imported: files of refused rows have their reasons there. If it is your own, give it another heading.`
        : `The column "${heading}" is not imported: the server itself notes ${inWords(mapping.columns, column ?? '')}.`,
      { heading, ...(column && { column }) },
    ),
    ...when(
      numeric.includes(at) && holdsTexts(column ?? '', mapping),
      'numbers_in_texts',
      `The spreadsheet holds numbers in the column "${heading}", which should be texts: zeros at the beginning may be lost.`,
      { heading },
    ),
    ...when(
      column === 'class' && !tellsIds && rows > 0 && all - rows >= Math.max(rows, 2),
      'classes_blank',
      `In the column "${heading}", ${all - rows} rows are blank: students who are there stay in their classes, and new ones are refused. Of merged cells only the first has the value. Write the class in each row.`,
      { heading, rows: all - rows },
    ),
  ])
  return [
    ...ofSheets,
    ...when(blank > 0, 'blank_rows', `${begin(counted(blank))} blank, and left out.`, { rows: blank }),
    ...when(repeated > 0, 'repeated_headers', `${begin(counted(repeated))} the header again, and left out.`, {
      rows: repeated,
    }),
    ...ofColumns,
  ]
}

function when(holds: boolean, code: Warning['code'], detail: string, params: WarningParams): Warning[] {
  return holds ? [{ code, detail, params }] : []
}

function counted(rows: number): string {
  return rows === 1 ? 'one row is' : `${rows} rows are`
}
