import { digitOf } from './digits.ts'

/** How many digits of a phone number tell enough to look for it. */
export const leastDigits = 4

/** What may stand in a phone number besides digits. */
const separators = /^[\s+()./\p{Dash}\p{Nd}]*$/u

/** The digits of a phone number, in ASCII. A zero in brackets, as in +49 (0)30, is not dialled. */
export function digitsOf(phone: string): string {
  const [...characters] = phone.normalize('NFKC').replace(/\(0\)/g, '')
  return characters.map((character) => (/\p{Nd}/u.test(character) ? digitOf(character) : '')).join('')
}

/**
 * The digits to look for among those of phone numbers: without a country's prefix and a leading zero, with which some
 * write a number, and others do not.
 * @returns undefined where the text is no part of a phone number, or has fewer than four digits
 */
export function dialled(text: string): string | undefined {
  const plain = text.normalize('NFKC').trim()
  const digits = digitsOf(plain)
  if (!separators.test(plain) || digits.length < leastDigits) return undefined
  const international = /^\(?\+/.test(plain) ? digits : /^00(.*)/.exec(digits)?.[1]
  const national = (international?.replace(countryCode, '') ?? digits).replace(/^0/, '')
  return national.length < leastDigits ? digits : national
}

/** Whether a text has digits of a phone number alone, and too few to look for. */
export function hasTooFewDigits(text: string): boolean {
  const plain = text.normalize('NFKC').trim()
  const digits = digitsOf(plain)
  return digits !== '' && digits.length < leastDigits && separators.test(plain)
}

/** Country codes (ITU-T E.164): of one digit, of two, or of three. */
const countryCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/
