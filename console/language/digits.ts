import { inPlainDigits } from '../../src/text/digits.ts'

/** A number of things as it is typed or copied: thousands may be parted by a sign or a space. Else not a number. */
export function readCount(text: string): number {
  const digits = inPlainDigits(text)
    .replace(/\p{Cf}/gu, '')
    .trim()
  return /^\d{1,3}([.,'’٬\s]\d{3})*$|^\d+$/.test(digits) ? Number(digits.replace(/\D/g, '')) : Number.NaN
}
