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

/** Unicode has the digits of a script in a row, from 0 to 9; such rows may follow each other. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}
