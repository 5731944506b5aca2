const secondsOfDay = 86_400

/** The last day that a spreadsheet knows: 9999-12-31. */
const lastDay = 2_958_465

/** Days from 1900 to 1904, where the count of the latter begins. */
const daysTo1904 = 1_462

/** What of a moment a cell shows; `elapsed`: hours beyond 24. */
export type Shown = 'date' | 'time' | 'both' | 'elapsed'

/**
 * The text of a number that stands for a day, a time of day or both: `2015-03-04`, `07:45`, `2015-03-04 07:45`.
 * Seconds are left out where there are none, and midnight beside a day.
 * @returns undefined where no day or time has this number
 */
export function momentText(serial: number, shown: Shown, is1904: boolean): string | undefined {
  const seconds = Math.round(serial * secondsOfDay)
  if (!(seconds >= 0)) return undefined
  if (shown === 'elapsed') return timeText(seconds)
  if (shown === 'time') return timeText(seconds % secondsOfDay)
  const day = Math.floor(seconds / secondsOfDay) + (is1904 ? daysTo1904 : 0)
  if (day > lastDay) return undefined
  const ofDay = seconds % secondsOfDay
  return shown === 'both' && ofDay > 0 ? `${dayText(day)} ${timeText(ofDay)}` : dayText(day)
}

/** Spreadsheets count a 29 February 1900, which never was, and begin with a day 0: the texts of both are no dates. */
function dayText(day: number): string {
  if (day === 0) return '1900-01-00'
  if (day === 60) return '1900-02-29'
  const date = new Date(Date.UTC(1899, 11, day < 60 ? 31 : 30) + day * secondsOfDay * 1_000)
  return `${date.getUTCFullYear()}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`
}

function timeText(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return (parts[2] === 0 ? parts.slice(0, 2) : parts).map(twoDigits).join(':')
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number)
}
