import { uniqueKey } from '../../text/normalise.ts'

/**
 * An admission number without hyphens, and without the zeros before each run of digits: what a spreadsheet loses. The
 * digits are those of ASCII, in whatever script they are written. What other programs write with a number goes, too.
 */
export function skeletonOf(number: string): string {
  const key = uniqueKey(number).replace(/(?!\d)\p{Nd}/gu, asciiDigit)
  const plain = /[^\w-]/.test(key) ? withoutMarks(key) : key
  return plain.replaceAll('-', '').replace(/(?<!\d)0+(?=\d)/g, '')
}

/** `42` for `="42"`, `'42`, `#42`, `42.0` or `42,00`, and `700123` for `700.123`, `700 123` or `700.123,00`. */
function withoutMarks(key: string): string {
  const bare = key.replace(/^="(.*)"$/, '$1').replace(/^['‘’#]\s*/, '')
  const [, whole] = /^(\d+|\d{1,3}([.,'’٬ ])\d{3}(?:\2\d{3})*)(?:[.,٫]00?)?$/.exec(bare) ?? []
  return whole?.replace(/\D/g, '') ?? bare
}

/**
 * Where hyphens part the digits of a number: how much of its skeleton stands before each. `1-12` and `11-2` have one
 * skeleton, and are two numbers.
 */
export function partingsOf(number: string): string {
  const key = uniqueKey(number)
  const hyphens = [...key.matchAll(/(?<=\p{Nd})-(?=\p{Nd})/gu)]
  return hyphens.map(({ index }) => skeletonOf(key.slice(0, index)).length).join()
}

/** Unicode has the digits of a script in a row, from 0 to 9; such rows may follow each other. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}
