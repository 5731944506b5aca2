import type { Field } from '../../fields/queries.ts'
import { readValue, textRules } from '../../fields/values.ts'
import { wrongType } from '../../http/validation.ts'
import type { Fault, FieldFault } from '../../problems.ts'
import { isErrorText } from '../../sheets/error-texts.ts'
import { guardianMembers, identifierMembers } from '../../students/list-members.ts'
import { createStudent } from '../../students/schema.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { systemOf } from '../columns/columns.ts'
import { guardianOf } from '../columns/guardian-columns.ts'
import { foldHeading } from '../columns/headings.ts'
import { readText, textRule } from '../columns/text-rules.ts'
import { type DateFormat, readDate } from './dates.ts'
import type { CellFault } from './faulty.ts'
import type { CellValue } from './row-values.ts'

/** Reads a cell that is not blank: its value as records hold it, or what is wrong with it. */
export type ReadCell = (cell: string) => CellValue | CellFault

/** Whether that is a fault: no value is an object, but for lists. */
export function isFault(read: CellValue | CellFault): read is CellFault {
  return typeof read === 'object' && read !== null && !Array.isArray(read)
}

/** The same for cells of which some hold an error of the spreadsheet, such as `#REF!`, in place of a value. */
export function refusingErrors(read: ReadCell): ReadCell {
  return (cell) => (isErrorText(cell) ? { code: 'cell_error', detail: detailOf(cell) } : read(cell))
}

function detailOf(cell: string): string {
  return `must be a value: the cell holds the error ${cell.trim()} of the spreadsheet`
}

/** How many cells of a column are remembered: days and words come again and again. */
const mostRemembered = 5_000

/** The same, with what it read first remembered. Where few cells come again, as with numbers, none is. */
export function remembering(read: ReadCell): ReadCell {
  let known: Map<string, CellValue | CellFault> | undefined = new Map()
  let again = 0
  return (cell) => {
    const before = known?.get(cell)
    if (before !== undefined) {
      again++
      return before
    }
    const value = read(cell)
    if (known !== undefined && known.size < mostRemembered) known.set(cell, value)
    else if (again < mostRemembered) known = undefined
    return value
  }
}

const members = createStudent.body.properties

/** What decides how the cells of a column are read. */
interface ColumnFormat {
  readonly dates?: DateFormat
  /** Whether all of its cells are numbers of a spreadsheet. */
  readonly areNumbers?: boolean
}

/**
 * How the cells of a column of students are read: by the rules of the API's bodies.
 * @param field where the column holds one @returns undefined for columns of classes
 */
export function readerOf(
  column: string,
  field: Field | undefined,
  { dates = {}, areNumbers = false }: ColumnFormat = {},
): ReadCell | undefined {
  if (field !== undefined) return ownFieldReader(field, dates, areNumbers)
  if (column === 'date_of_birth') return (cell) => readDate(cell, dates)
  const guardian = guardianOf(column)
  if (guardian !== undefined) return textReader(guardianMembers[guardian.part])
  if (systemOf(column) !== undefined) return readIdentifiers
  if (column === 'id' || column === 'class_id') return readId
  return column in members && column !== 'class'
    ? textReader(members[column as keyof typeof members])
    : undefined
}

/** Reads texts that a schema describes. */
export function textReader(schema: object): ReadCell {
  const rule = textRule(schema)
  return (cell) => readText(rule, cell)
}

/** An id: plain digits. */
function readId(cell: string): number | Fault {
  const text = cell.trim()
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : wrongType(['integer'])
}

const identifier = textRule(identifierMembers.value)

/** The values of one system, a line each. */
function readIdentifiers(cell: string): readonly string[] | CellFault {
  const values: string[] = []
  for (const line of linesOf(cell)) {
    const value = readText(identifier, line)
    if (isFault(value)) return value
    values.push(value)
  }
  const areOnce = values.length === 1 || new Set(values.map(uniqueKey)).size === values.length
  return areOnce ? values : { code: 'duplicate', detail: 'must not be there twice' }
}

function linesOf(cell: string): string[] {
  return cell.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
}

function ownFieldReader(field: Field, dates: DateFormat, areNumbers: boolean): ReadCell {
  const { kind } = field
  if (kind === 'date') return (cell) => readDate(cell, dates)
  if (kind === 'text' || kind === 'text_in_lines') return (cell) => readText(textRules[kind], cell)
  const given = givenBy(field, areNumbers)
  return (cell) => {
    const value = given(cell)
    if (isFault(value)) return value
    const faults: FieldFault[] = []
    const read = readValue(field, value, '', faults)
    return faults[0] === undefined ? read : withoutPointer(faults[0])
  }
}

/** What is wrong with a member, as it is told of a cell. */
export function withoutPointer({ pointer: _, ...fault }: FieldFault): Fault {
  return fault as Fault
}

/** What a cell gives to a field, as JSON would. */
function givenBy({ kind, options }: Field, areNumbers: boolean): ReadCell {
  const byKey = new Map(options?.map((option) => [uniqueKey(option), option]))
  const optionIn = (text: string) => byKey.get(uniqueKey(text))
  switch (kind) {
    case 'number':
      return (cell) => readNumber(cell, areNumbers)
    case 'yes_no':
      return (cell) => yesOrNo.get(foldHeading(cell)) ?? marks.get(cell.trim()) ?? wrongType(['boolean'])
    case 'one_of':
      return (cell) => optionIn(cell) ?? cell
    case 'several_of':
      return (cell) => chosenIn(cell, optionIn)
    default:
      return (cell) => cell
  }
}

/** Options a line each, or with `;` or `,` between; an option may hold these itself. */
function chosenIn(cell: string, optionIn: (text: string) => string | undefined): string[] {
  const lines = linesOf(cell)
  if (lines.length > 1 || optionIn(cell) !== undefined) return lines.map((line) => optionIn(line) ?? line)
  for (const separator of [';', ',']) {
    const parts = cell.split(separator).filter((part) => part.trim() !== '')
    const found = parts.map(optionIn)
    if (found.every((one) => one !== undefined)) return found
  }
  return lines
}

/** A number with a point or a comma before decimals. @param areNumbers the cell is a number of a spreadsheet */
function readNumber(cell: string, areNumbers: boolean): number | CellFault {
  const text = cell.trim().replace('\u2212', '-')
  if (!areNumbers && isUnsureNumber(text)) return { code: 'unsure_number', detail: unsureNumber }
  const written = /^[+-]?\d+,\d+$/.test(text) ? text.replace(',', '.') : text
  if (!/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(written)) return wrongType(['number'])
  const number = Number(written)
  return areNumbers || isKept(number, written) ? number : tooManyDigits
}

/** How many digits a number keeps (IEEE 754). */
const keptDigits = 15

const tooManyDigits: CellFault = {
  code: 'too_long',
  detail: `must have at most ${keptDigits} digits`,
  params: { limit: keptDigits },
}

/** Whether a number is what is written; what an export wrote is, however many digits it has. */
function isKept(number: number, written: string): boolean {
  const digits = written
    .replace(/e.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '')
  if (number === 0) return digits === ''
  return digits.length <= keptDigits || String(number) === written
}

/** Whether a text may be a thousand and more, or one and a bit: `1.234` in Germany and `1,234` in England. */
export function isUnsureNumber(text: string): boolean {
  return /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)
}

const unsureNumber = 'can be read in two ways: write a thousand as 1234, and decimals as 1.2340'

const yes = 'true,yes,y,ja,j,wahr,oui,o,vrai,sí,s,verdadero,نعم,صح,1,x'
const no = 'false,no,n,nein,falsch,non,faux,falso,لا,خطأ,0'

/** What people write in five languages. */
const yesOrNo: ReadonlyMap<string, boolean> = new Map([
  ...yes.split(',').map((word) => [foldHeading(word), true] as const),
  ...no.split(',').map((word) => [foldHeading(word), false] as const),
])

const marks: ReadonlyMap<string, boolean> = new Map([
  ['✓', true],
  ['✔', true],
  ['☑', true],
  ['✗', false],
  ['✘', false],
  ['☐', false],
])
