/*
 * The folding and the searchable text of migration 3, as they were when it was released. Live code has its own, and goes
 * on changing (`text/`).
 */

/**
 * The searchable text of a record: two spaces stand before each word. Inside a word, further words begin after
 * punctuation, and at and after each Han, kana or Hangul character. For each of them, two spaces and its first two
 * characters are added. A search is then always for a substring of three characters or more: two spaces and a letter,
 * a space and two letters, or three letters. A trigram index finds those.
 */
export function searchText(...texts: readonly string[]): string {
  return wordsAndStarts(texts)
    .map((word) => `  ${word}`)
    .join('')
}

/** The words of texts, each followed by its further word starts. */
function wordsAndStarts(texts: readonly string[]): string[] {
  return foldedWords(texts.join(' ')).flatMap((word) => [word, ...innerStarts(word)])
}

/** Splits at white space, after folding. */
function foldedWords(text: string): string[] {
  return fold(text).split(/\s+/u).filter(Boolean)
}

const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆〇]/u
const wordCharacter = /[\p{L}\p{N}\p{M}]/u

/** The places inside a word where a word begins, each as its first two characters. */
function innerStarts(word: string): string[] {
  if (/^[a-z0-9]*$/.test(word)) return []
  const characters = [...word]
  const starts: string[] = []
  for (let i = 1; i < characters.length; i++) {
    const character = characters[i]!
    const before = characters[i - 1]!
    const begins =
      ideograph.test(character) ||
      (wordCharacter.test(character) && (ideograph.test(before) || !wordCharacter.test(before)))
    if (begins) starts.push(character + (characters[i + 1] ?? ''))
  }
  return starts
}

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
function fold(text: string): string {
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
