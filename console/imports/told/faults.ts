import type { FaultParams } from '../../language/en.ts'
import type { Words } from './columns.ts'

/*
 * What is wrong with the cells of a file, in words. The server loads this module too: it knows no browser.
 */

interface Fault {
  readonly column: string
  readonly code?: string
  readonly detail?: string
  readonly params?: FaultParams & {
    readonly row?: number
    readonly sheet_name?: string
    readonly unseen?: string
    readonly lacking?: readonly string[]
    readonly year_digits?: number
  }
  /** What stands in the cell. */
  readonly to?: string | null | undefined
}

/** What is wrong with a cell; as the server says it where it may be many things. */
export function faultIn(words: Words, fault: Fault): string {
  return ofFile(words, fault) ?? said(words, fault) ?? fault.detail ?? ''
}

/** What a form would say in other words than one says of a file. */
function ofFile({ own, fields }: Words, { column, code, to, params }: Fault): string | undefined {
  if (code === 'required') return own.missingInFile
  if (code === 'example_row') return own.exampleRow
  if (code === 'left_out' && column === 'class') return own.classLeftOut
  if (code === 'left_out') {
    if (params?.row === undefined) return own.leftOutByHand
    return `${own.leftOutByHand} ${own.neitherRow(own.rowIn(params.row, params.sheet_name))}`
  }
  if (code === 'unknown_student' && (to || params?.lacking)) {
    const unknown = own.unknownStudent(to ?? undefined)
    return params?.lacking ? `${unknown} ${own.newOneNeeds(params.lacking)}` : unknown
  }
  if (code === 'unsure_number') return own.unsureNumber
  const { kind, options } = fields.find(({ key }) => column === `fields.${key}`) ?? {}
  if (code === 'not_allowed' && options) return own.oneOf(options.slice(0, mostOptions))
  const isDate = column === 'date_of_birth' || kind === 'date'
  if (code !== 'invalid_format') return undefined
  if (isDate && params?.year_digits) return own.yearDigits
  if (isDate) return isNoDay(to ?? '') ? own.noSuchDay : own.dayAs
  return params?.unseen && own.unseen(params.unseen)
}

/** How many options are told. */
const mostOptions = 20

/** Whether a text has the form of a date and, whichever order it is read in, the calendar lacks the day. */
function isNoDay(text: string): boolean {
  const [, early, month = '', day = '', first = '', second = '', late] =
    /^(?:(\d{4})[-./](\d\d?)[-./](\d\d?)|(\d\d?)[-./](\d\d?)[-./](\d{4}|\d\d))$/.exec(text.trim()) ?? []
  if (early !== undefined) return !isDay(early, month, day)
  return late !== undefined && !isDay(late, second, first) && !isDay(late, first, second)
}

function isDay(year: string, month: string, day: string): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

/** Faults with a limit: without it, the server's sentence says more. */
const withLimit: ReadonlySet<string> = new Set(['too_long', 'too_short', 'too_many'])

function said({ house, own, ofFile }: Words, { column, code = '', params }: Fault): string | undefined {
  if (code === 'duplicate' && params?.row !== undefined) {
    if (column === 'row') return own.sameAsRow(params.row, params.sheet_name)
    const isThere = own.inRowToo(params.row, params.sheet_name)
    return column === 'label' ? isThere : `${isThere} ${own.onlyOneRow}`
  }
  if (withLimit.has(code) && params?.limit === undefined) return undefined
  const { faults, problems }: Record<'faults' | 'problems', Readonly<Record<string, unknown>>> = house
  const say = faults[code] as ((params: FaultParams) => string) | undefined
  return say?.(params ?? {}) ?? (problems[code] as string | undefined) ?? ofFile?.[code]
}
