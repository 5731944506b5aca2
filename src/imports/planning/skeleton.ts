import { uniqueKey } from '../../text/normalise.ts'

/**
 * An admission number without hyphens, and without the zeros before each run of digits: what a spreadsheet loses. The
 * digits are those of ASCII, in whatever script they are written.
 */
export function skeletonOf(number: string): string {
  return uniqueKey(number)
    .replaceAll('-', '')
    .replace(/(?!\d)\p{Nd}/gu, asciiDigit)
    .replace(/(?<!\d)0+(?=\d)/g, '')
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
