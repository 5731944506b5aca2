import { fold } from './search-text-of-0009.ts'

/*
 * What guardians are found by, as it was when migration 12 was released. Live code has its own, and goes on changing
 * (`text/search-words.ts`, `text/phones.ts`).
 */

const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆〇]/u
const wordCharacter = /[\p{L}\p{N}\p{M}]/u

/** The folded words of a text, each with two spaces before it and before each word that begins inside. */
export function markedWords(text: string): string[] {
  const words = fold(text).split(/\s+/u).filter(Boolean)
  return words.map((word) => {
    const characters = [...word]
    const marked = characters.map((character, i) =>
      i === 0 || beginsWord(character, characters[i - 1]!) ? `  ${character}` : character,
    )
    return marked.join('')
  })
}

function beginsWord(character: string, before: string): boolean {
  if (ideograph.test(character)) return true
  return wordCharacter.test(character) && (ideograph.test(before) || !wordCharacter.test(before))
}

/** The digits of a phone number, in ASCII. A zero in brackets, as in +49 (0)30, is not dialled. */
export function digitsOf(phone: string): string {
  const [...characters] = phone.normalize('NFKC').replace(/\(0\)/g, '')
  return characters.map((character) => (/\p{Nd}/u.test(character) ? digit(character) : '')).join('')
}

/** The digits of each script stand together, from zero on (Unicode, section 4.6). */
function digit(character: string): number {
  const point = character.codePointAt(0)!
  let zero = point
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return (point - zero) % 10
}
