import { ageOn, readDay as readDayIn } from './days.ts'
import { locale } from './language.ts'

export { ageOn }

/** The day that stands in a text, as readers of the language that is shown write it. */
export const readDay = (text: string) => readDayIn(text, locale.value)

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

const englishDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A day that the server writes in English, `2 April 2019`, as one reads it; another text as it is. */
export function dayFromEnglish(text: string): string {
  const at = new Date(`${text} UTC`)
  return !Number.isNaN(at.getTime()) && englishDay.format(at) === text
    ? dayInWords(at.toISOString().slice(0, 10))
    : text
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
