/** Reads a day or an instant of ISO 8601 in UTC, from the year 1 on. @returns the instant; undefined: it is neither */
export function readTime(given: string): string | undefined {
  const [, day] = /^((?!0000)\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.exec(given) ?? []
  const time = new Date(day === undefined ? Number.NaN : given)
  if (Number.isNaN(time.getTime())) return undefined
  // A day that the month does not have is read as one of the next month.
  const instant = time.toISOString()
  return instant.startsWith(day!) ? instant : undefined
}
