/** Whether a text is the name of a time zone in the IANA database, such as `Europe/Berlin` or `UTC`; not an offset. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}
