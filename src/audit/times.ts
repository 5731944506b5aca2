/** Reads a day or an instant of ISO 8601 in UTC. @returns the instant, or undefined where it is neither */
export function readTime(given: string): string | undefined {
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.test(given)
  const time = new Date(isTime ? given : Number.NaN)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
