import { rowInWords } from '../../sheets/limits.ts'
import { begin } from '../row-places.ts'
import type { Warning, WarningParams } from './warnings.ts'

/* What people ought to know of rows of a plan. */

/** How old, in years, who goes to a school is: whoever is younger or older is told of. */
export const schoolAges = { least: 2, most: 25 }

/** The rows that a warning is about: how many, and where the first of them stands. */
export interface WarnedRows {
  readonly row: number
  readonly sheet: string | undefined
  readonly rows: number
}

/** Of rows that match a student by number, and would give that student another name and another date of birth. */
export function otherChildren(about: WarnedRows & { readonly known: number }): Warning {
  const { rows, known } = about
  const of =
    rows === 1 ? 'That child is' : known === 1 ? 'One of these children is' : `${known} of these children are`
  const there = known === 0 ? '' : ` ${of} there already, with another number.`
  const detail = `${these(about, 'gives its student', 'give their students')} another name and another date of birth.${there} Look whether the number is another child's: what stands there would be written over.`
  return { code: 'other_children', detail, params: { ...placed(about), ...(known > 0 && { known }) } }
}

/** Of rows that match a student by number, and would give that student a name of which no word was there. */
export function otherNames(about: WarnedRows): Warning {
  const detail = `${these(about, 'gives its student', 'give their students')} a name of which no word stands in the record. Look whether the number is another child's: what stands there would be written over.`
  return { code: 'other_names', detail, params: placed(about) }
}

/** Of rows that match a student by number, and would change nothing of the name, but the date of birth. */
export function otherDates(about: WarnedRows): Warning {
  const detail = `${these(about, 'gives its student', 'give their students')} another date of birth than the record has. Look whether the dates are in the right rows, and the day and the month in the right order.`
  return { code: 'other_dates', detail, params: placed(about) }
}

/** Of rows that match a student by number, and would have the given and the family name change places. */
export function turnedNames(about: WarnedRows): Warning {
  const detail = `${these(about, 'turns the name of its student', 'turn the names of their students')} round: given and family name change places. Look whether each stands in its own column.`
  return { code: 'turned_names', detail, params: placed(about) }
}

/** Of rows with an id that no student has whom the account sees, which make students. */
export function unknownIds(about: WarnedRows): Warning {
  const makes =
    about.rows === 1
      ? 'It makes a new student, with an id of its own.'
      : 'They make new students, with ids of their own.'
  const detail = `${these(about, 'has', 'have')} an id that no student has. ${makes}`
  return { code: 'unknown_ids', detail, params: placed(about) }
}

/** Of rows that would write a name with a comma, as lists have it where the family name comes first. */
export function namesWithCommas(about: WarnedRows): Warning {
  const detail = `${these(about, 'has', 'have')} a name with a comma, which is taken as it stands. Give family and given names columns of their own.`
  return { code: 'names_with_commas', detail, params: placed(about) }
}

/** Of rows that change or add a given or family name, and give the full name as it was, or none. */
export function fullNamesKept(about: WarnedRows): Warning {
  const detail = `${these(about, 'changes', 'change')} a given or family name, and the full name stays as it was. Give the new full name in the file too.`
  return { code: 'full_names_kept', detail, params: placed(about) }
}

/** Of rows by whose dates of birth a child would be too young or too old for a school, where the others' are not. */
export function oddAges(about: WarnedRows): Warning {
  const detail = `${these(about, 'has', 'have')} a date of birth by which the child would be under ${schoolAges.least} years old, or over ${schoolAges.most}. Look whether the year is right.`
  return { code: 'odd_ages', detail, params: placed(about) }
}

/** Of rows that make students with the names of totals or notes, where the others do not. */
export function oddNames(about: WarnedRows): Warning {
  const detail = `${these(about, 'makes a student', 'make students')} with a digit in the name, or with a name such as Total. Look whether these are totals or notes, and leave such rows out.`
  return { code: 'odd_names', detail, params: placed(about) }
}

/** Of rows that are left out by hand, and with each of them all others that may be the same child, who is not there. */
export function twinsLeftOut(about: WarnedRows): Warning {
  const detail = `${these(about, 'is', 'are')} left out, and so are the rows that may be the same child. Neither row is imported. Keep one of them if the child is to be added.`
  return { code: 'twins_left_out', detail, params: placed(about) }
}

/** `Row 12 has`, or `3 rows, the first of them row 12, have`. */
function these({ row, sheet, rows }: WarnedRows, does: string, theyDo: string): string {
  const first = rowInWords(row, sheet)
  return rows === 1 ? `${begin(first)} ${does}` : `${rows} rows, the first of them ${first}, ${theyDo}`
}

function placed({ row, sheet, rows }: WarnedRows): WarningParams {
  return { row, ...(sheet && { sheet }), rows }
}
