import { faultOfText } from '../../http/validation.ts'
import type { Fault } from '../../problems.ts'
import { inPlainDigits } from '../../text/digits.ts'
import { foldHeading } from '../columns/headings.ts'
import type { TextRule } from '../columns/text-rules.ts'

/* Days of the calendar as texts. No date passes through an instant, so none depends on a time zone. */

export const dateOrders = ['day_first', 'month_first'] as const

export type DateOrder = (typeof dateOrders)[number]

/** What a text says of a day, before the order of day and month is known. */
type Written =
  /** A day, `YYYY-MM-DD`; whether the calendar has it is another question. */
  | { readonly is: 'day'; readonly day: string }
  /** Two numbers before a year. */
  | { readonly is: 'either'; readonly first: number; readonly second: number; readonly year: string }
  | { readonly is: 'short year' }
  | { readonly is: 'no day' }

const yearFirst = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?)?$/
const yearLast = /^(\d{1,2})( ?[-./] ?| )(\d{1,2})\2(\d{4})(?: 0?0:00(?::00)?)?$/
const shortYear = /^(?:\d{1,2}([-./ ])\d{1,2}\1|\d{1,2}[^\d]+)'?\d{2}$/
const dayName =
  /^(?:\p{L}+\.?,? +)?(\d{1,2})(?:\.|st|nd|rd|th|er|º|ο)?[ -]+(?:de +|of +)?(\p{L}[\p{L}\p{M} ]*?)\.?,?[ -]+(?:de +|del +)?(\d{4})$/u
const nameDay = /^(\p{L}[\p{L}\p{M}]*)\.? +(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})$/u

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

function writtenIn(cell: string): Written {
  if (/^\d{4}-\d{2}-\d{2}$/.test(cell)) return { is: 'day', day: cell }
  const text = inPlainDigits(cell.normalize('NFKC')).trim()
  const early = yearFirst.exec(text)
  if (early !== null) return day(early[1]!, early[3]!, early[4]!)
  const late = yearLast.exec(text)
  if (late !== null) return { is: 'either', first: Number(late[1]), second: Number(late[3]), year: late[4]! }
  const [, before, name, year] = dayName.exec(text) ?? []
  const [, name2, after, year2] = nameDay.exec(text) ?? []
  const month = months.get(foldHeading(name ?? name2 ?? ''))
  if (month !== undefined) return day((year ?? year2)!, String(month), (before ?? after)!)
  return { is: shortYear.test(text) ? 'short year' : 'no day' }
}

function day(year: string, month: string, day: string): Written {
  return { is: 'day', day: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` }
}

/** Which orders of day and month a text allows; undefined: it says nothing of the order. */
export function ordersOf(cell: string): 'both' | DateOrder | undefined {
  const written = writtenIn(cell)
  if (written.is !== 'either' || written.first === written.second) return undefined
  const { first, second } = written
  if (first > 31 || second > 31 || (first > 12 && second > 12)) return undefined
  if (first > 12) return 'day_first'
  return second > 12 ? 'month_first' : 'both'
}

const rule: TextRule = { format: 'date', maxLength: 40 }

const faultOf = (detail: string): Fault => ({ code: 'invalid_format', detail, params: { format: 'date' } })

/**
 * Reads a day of the calendar, as `YYYY-MM-DD`, or says what is wrong with it. A year of two digits is refused: nobody
 * knows which century is meant.
 * @param order of a column in which day and month are numbers before the year
 */
export function readDate(cell: string, order: DateOrder | undefined): string | Fault {
  const written = writtenIn(cell)
  if (written.is === 'short year') return faultOf('must have a year of four digits')
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
