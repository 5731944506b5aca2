/** The earliest date that a person can be born on. */
const earliest = '1900-01-01'

/** Whether a text is a day of the calendar as `YYYY-MM-DD`, from 1900 on; 29 February only in leap years. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < earliest) return false
  const date = new Date(`${text}T00:00:00Z`)
  // A day that the month does not have is read as one of the next month.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
