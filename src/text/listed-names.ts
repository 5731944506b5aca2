/**
 * Whether a text is this name with the family name first and a comma, as lists have it: `Müller, Zoë` says nothing new of
 * `Zoë Müller`. The console asks the same.
 */
export function isListed(given: unknown, name: string): boolean {
  const [family, first, ...more] = typeof given === 'string' ? given.split(', ') : []
  return first !== undefined && more.length === 0 && `${first} ${family}` === name
}
