/** The value of a digit of any script: those of each stand together, from zero on (Unicode, section 4.6). */
export function digitOf(character: string): number {
  const point = character.codePointAt(0)!
  let zero = point
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return (point - zero) % 10
}

/** A text with the digits of every script in ASCII. */
export function inPlainDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (character) => String(digitOf(character)))
}
