import { faultOfText } from '../../http/validation.ts'
import type { Fault } from '../../problems.ts'
import { inPlainDigits } from '../../text/digits.ts'
import { foldHeading } from '../columns/headings.ts'
import type { TextRule } from '../columns/text-rules.ts'
import type { CellFault } from './faulty.ts'

/* Days of the calendar as texts. No date passes through an instant, so none depends on a time zone. */

export const dateOrders = ['day_first', 'month_first'] as const

export type DateOrder = (typeof dateOrders)[number]

/** How a column writes its dates. */
export interface DateFormat {
  /** Where day and month are numbers before the year. */
  readonly order?: DateOrder | undefined
  /** Of the hundred years in which years of two digits are; undefined: such dates are refused. */
  readonly firstYear?: number | undefined
}

/** What a text says of a day, before the order of day and month is known. */
type Written =
  /** A day, `YYYY-MM-DD`; whether the calendar has it is another question. */
  | { readonly is: 'day'; readonly day: string }
  /** Two numbers before a year. */
  | { readonly is: 'either'; readonly first: number; readonly second: number; readonly year: string }
  /** A year of two digits. They are absent where the first number may be the year, or the month is not known. */
  | { readonly is: 'short year'; readonly digits?: string }
  | { readonly is: 'no day' }

/** As ISO 8601 writes it without hyphens. Where the year is last, the fifth digit is above 1, and there is no such month. */
const basic = /^((?:19|20)\d\d)([01]\d)([0-3]\d)$/
const yearFirst = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?)?$/
const yearLast = /^(\d{1,2})( ?[-./] ?| )(\d{1,2})\2(\d{4})(?: 0?0:00(?::00)?)?$/
/** Not with hyphens: `17-09-01` may have the year first, as ISO 8601 once allowed. */
const shortYearLast = /^(\d{1,2})( ?[./] ?)(\d{1,2})\2['’]?(\d{2})(?: 0?0:00(?::00)?)?$/
const shortYear = /^(?:\d{1,2}([-./ ])\d{1,2}\1['’]?\d{2}|\d{1,2}[^\d]+['’]?\d{2}|\d{2}([-./])\d{1,2}\2\d)$/
const dayName =
  /^(?:\p{L}+\.?,? +)?(\d{1,2})(?:\.|st|nd|rd|th|er|º|ο)?[ -]+(?:de +|of +)?(\p{L}[\p{L}\p{M} ]*?)\.?,?[ -]+(?:de +|del +)?['’]?(\d{4}|\d{2})$/u
const nameDay = /^(\p{L}[\p{L}\p{M}]*)\.? +(\d{1,2})(?:st|nd|rd|th)?,? +['’]?(\d{4}|\d{2})$/u

const languages = ['en', 'de', 'fr', 'es', 'ar', 'ar-SY', 'ar-MA']

/** The names of months, by what they are folded to. */
const months: ReadonlyMap<string, number> = new Map(
  languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, {
        month,
        day: 'numeric',
        timeZone: 'UTC',
      })
      return Array.from({ length: 12 }, (_, i) => {
        const parts = format.formatToParts(Date.UTC(2000, i, 1))
        return [foldHeading(parts.find(({ type }) => type === 'month')!.value), i + 1] as const
      })
    }),
  ),
)

/** No date is longer, in characters; to look for one in a long text takes milliseconds. */
const longestDate = 100

function writtenIn(cell: string, firstYear: number | undefined): Written {
  if (/^\d{4}-\d{2}-\d{2}$/.test(cell)) return { is: 'day', day: cell }
  if (cell.length > longestDate) return { is: 'no day' }
  const text = inPlainDigits(cell.normalize('NFKC')).trim()
  const plain = basic.exec(text)
  if (plain !== null) return day(plain[1]!, plain[2]!, plain[3]!)
  const early = yearFirst.exec(text)
  if (early !== null) return day(early[1]!, early[3]!, early[4]!)
  const late = yearLast.exec(text) ?? shortYearLast.exec(text)
  if (late !== null) {
    const [first, second] = [Number(late[1]), Number(late[3])]
    return inFullYear(late[4]!, firstYear, (year) => ({ is: 'either', first, second, year }))
  }
  const [, before, name, year] = dayName.exec(text) ?? []
  const [, name2, after, year2] = nameDay.exec(text) ?? []
  const month = months.get(foldHeading(name ?? name2 ?? ''))
  if (month !== undefined)
    return inFullYear((year ?? year2)!, firstYear, (year) => day(year, String(month), (before ?? after)!))
  return { is: shortYear.test(text) ? 'short year' : 'no day' }
}

function day(year: string, month: string, day: string): Written {
  return { is: 'day', day: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` }
}

function inFullYear(
  digits: string,
  firstYear: number | undefined,
  written: (year: string) => Written,
): Written {
  if (digits.length === 4) return written(digits)
  return firstYear === undefined ? { is: 'short year', digits } : written(String(fullYear(digits, firstYear)))
}

/** The year of two digits, among the hundred that begin with one. */
export function fullYear(digits: string, firstYear: number): number {
  return firstYear + ((((Number(digits) - firstYear) % 100) + 100) % 100)
}

/** The year of two digits in a text that can be read once the hundred years are known; undefined: there is none. */
export function shortYearIn(cell: string): string | undefined {
  if (/\d{4}/.test(cell)) return undefined // so are most, and this is cheap
  const written = writtenIn(cell, undefined)
  return written.is === 'short year' ? written.digits : undefined
}

/** Which orders of day and month a text allows; undefined: it says nothing of the order. */
export function ordersOf(cell: string): 'both' | DateOrder | undefined {
  const written = writtenIn(cell, 2000) // in any century
  if (written.is !== 'either' || written.first === written.second) return undefined
  const { first, second } = written
  if (first > 31 || second > 31 || (first > 12 && second > 12)) return undefined
  if (first > 12) return 'day_first'
  return second > 12 ? 'month_first' : 'both'
}

const rule: TextRule = { format: 'date', maxLength: 40 }

const faultOf = (detail: string): Fault => ({ code: 'invalid_format', detail, params: { format: 'date' } })

const shortYearFault: CellFault = {
  ...faultOf('must have a year of four digits'),
  told: { year_digits: 4 },
}

/** The days from 1927 to 2064, as a spreadsheet counts them. From 1904 on others are meant, so such a number is not read. */
const dayNumber = /^[1-5]\d{4}(?:\.0+)?$/

const dayNumberFault = faultOf('is a number, as a spreadsheet counts days: format its column as dates there')

/** Reads a day of the calendar, as `YYYY-MM-DD`, or says what is wrong with it. */
export function readDate(cell: string, { order, firstYear }: DateFormat): string | CellFault {
  const written = writtenIn(cell, firstYear)
  if (written.is === 'short year') return shortYearFault
  if (dayNumber.test(cell.trim())) return dayNumberFault
  const text =
    written.is === 'either' ? inOrder(written, order) : written.is === 'day' ? written.day : cell.trim()
  if (typeof text !== 'string') return text
  return faultOfText(text, rule) ?? text
}

function inOrder(
  { first, second, year }: Extract<Written, { is: 'either' }>,
  order: DateOrder | undefined,
): string | Fault {
  if (order === undefined && first !== second) return faultOf('must be a date as YYYY-MM-DD')
  const [month, day] = order === 'day_first' ? [second, first] : [first, second]
  if (month > 12 && day <= 12) {
    const columns = order === 'day_first' ? 'the day first' : 'the month first'
    return faultOf(`does not fit the other dates of the column, which have ${columns}`)
  }
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** A day in words that nobody misreads: `9 March 2014`. */
export function dayInWords(day: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}
