/**
 * Makes a function that writes instants, in milliseconds since the epoch, in ISO 8601. It keeps the last one: on a
 * busy server many requests share a millisecond, and writing a date costs more than checking a token.
 */
export function instantWriter(): (milliseconds: number) => string {
  let last = Number.NaN
  let text = ''
  return (milliseconds) => {
    if (milliseconds !== last) {
      text = new Date(milliseconds).toISOString()
      last = milliseconds
    }
    return text
  }
}
