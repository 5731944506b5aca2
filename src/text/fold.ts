/** Letters that NFKD leaves as they are, each with the plain letters that people type for it. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
}
const special = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu')

/**
 * Marks that are accents or reading aids in their script, and invisible joiners. In other scripts (Devanagari, Thai,
 * kana …) a mark is a vowel or changes the letter, and stays: see docs/decisions/0004-folding.md.
 */
const accents =
  /[[\p{M}&&[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]]--[\u3099\u309a]]|\p{Cf}/gv

/** Plain ASCII is most of what is searched, and folds to its lower case. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range begins with controls
const ascii = /^[\u0000-\u007f]*$/

/** Folds a text for search: without case and accents, in compatibility form (NFKD), composed again (NFC). */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(accents, '')
    .replace(special, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC')
}
