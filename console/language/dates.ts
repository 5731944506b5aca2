import { locale } from './language.ts'

type Part = 'day' | 'month' | 'year'

/** The order in which readers of this language write a date: by numbers alone, it tells 3 April from 4 March. */
function orderOf(language: string): Part[] {
  const parts = new Intl.DateTimeFormat(language).formatToParts(new Date(Date.UTC(2011, 10, 22)))
  return parts.flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []))
}

const isoOf = (year: number, month: number, day: number) =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** The day that stands in a text: in the reader's order, with any signs between, or as in ISO 8601. Undefined: none. */
export function readDay(text: string, language = locale.value): string | undefined {
  const latin = text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
  const iso = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(latin)
  const numbers = latin.match(/\d+/g) ?? []
  const found: Partial<Record<Part, number>> = {}
  if (iso) Object.assign(found, { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) })
  else if (numbers.length === 3 && /^[\d\s./\-\u200e\u200f]+$/.test(latin))
    for (const [i, part] of orderOf(language).entries()) found[part] = Number(numbers[i])
  const { day = 0, month = 0, year = 0 } = found
  const full = year < 100 ? fullYear(year) : year
  const date = new Date(Date.UTC(full, month - 1, day))
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && full >= 1000
  return isDay ? isoOf(full, month, day) : undefined
}

/** Two digits are of this century unless that is still to come. */
function fullYear(twoDigits: number): number {
  const now = new Date().getFullYear()
  const year = Math.floor(now / 100) * 100 + twoDigits
  return year > now ? year - 100 : year
}

const utcDay = (iso: string) => new Date(`${iso}T00:00:00Z`)

/** A day as one types it. */
export function typedDay(iso: string): string {
  const format = { day: 'numeric', month: 'numeric', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locale.value, format).format(utcDay(iso)).replace(/[\u200e\u200f]/g, '')
}

/** A day as one reads it: 9 March 2014. */
export function dayInWords(iso: string): string {
  const format = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locale.value, format).format(utcDay(iso))
}

/** An instant in the school's time zone: the hour where it was today, else the day too. */
export function instantInWords(instant: string, timeZone: string, now = new Date()): string {
  const at = new Date(instant)
  const dayOf = (date: Date) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(date)
  const time = new Intl.DateTimeFormat(locale.value, {
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
    timeZone,
  })
  if (dayOf(at) === dayOf(now)) return time.format(at)
  const day = new Intl.DateTimeFormat(locale.value, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  })
  return `${day.format(at)} ${time.format(at)}`
}

/** How old somebody is on a day. */
export function ageOn(born: string, today = new Date()): number {
  const [year, month, day] = born.split('-').map(Number) as [number, number, number]
  const hadBirthday =
    today.getMonth() + 1 > month || (today.getMonth() + 1 === month && today.getDate() >= day)
  return today.getFullYear() - year - (hadBirthday ? 0 : 1)
}
