import { inPlainDigits } from '../../src/text/digits.ts'

type Part = 'day' | 'month' | 'year'

/** The order in which readers of this language write a date: by numbers alone, it tells 3 April from 4 March. */
function orderOf(language: string): Part[] {
  const parts = new Intl.DateTimeFormat(language).formatToParts(new Date(Date.UTC(2011, 10, 22)))
  return parts.flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []))
}

const isoOf = (year: number, month: number, day: number) =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** The day that stands in a text: in the reader's order, with any signs between, or as in ISO 8601. Undefined: none. */
export function readDay(text: string, language: string): string | undefined {
  const latin = inPlainDigits(text)
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

/** How old somebody is on a day. */
export function ageOn(born: string, today = new Date()): number {
  const [year, month, day] = born.split('-').map(Number) as [number, number, number]
  const hadBirthday =
    today.getMonth() + 1 > month || (today.getMonth() + 1 === month && today.getDate() >= day)
  return today.getFullYear() - year - (hadBirthday ? 0 : 1)
}
