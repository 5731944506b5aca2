/** How far a zone's clocks are ahead of UTC at an instant, in milliseconds. */
function aheadAt(instant: number, timeZone: string): number {
  const format = { timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  const parts = new Intl.DateTimeFormat('en-CA', { ...format, ...time }).formatToParts(instant)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return shown - Math.floor(instant / 1000) * 1000
}

/** When a day of the calendar begins in a time zone; `later`: so many days after it. */
export function dayBegins(iso: string, timeZone: string, later = 0): string {
  const [year, month, day] = iso.split('-').map(Number) as [number, number, number]
  const midnight = Date.UTC(year, month - 1, day + later)
  const guess = midnight - aheadAt(midnight, timeZone)
  return new Date(midnight - aheadAt(guess, timeZone)).toISOString()
}

/** Which day it is in a time zone, as YYYY-MM-DD. */
export const today = (timeZone: string, now = new Date()) =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(now)
