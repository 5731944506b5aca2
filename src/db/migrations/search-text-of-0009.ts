/*
 * The folding, the searchable text and the keys of migration 9, as they were when it was released. Live code has its
 * own, and goes on changing (`text/`).
 */

/** Letters that NFKD leaves as they are, each with the plain letters that people type for it. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
  ی: 'ي',
  ى: 'ي',
  ک: 'ك',
  '\u0640': '', // tatweel, which makes a word longer
}
const special = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu')

/** What people type or paste as an apostrophe: quotation marks, primes, accents by themselves, modifier letters. */
const apostrophes =
  /[`\u00b4\u02b9\u02bb-\u02bf\u02c8\u0384\u055a\u05f3\u1fbd\u1fbf\u1fef\u1ffd\u1ffe\u2018-\u201b\u2032\u2035\ua78b\ua78c]/gu
const dashes = /\p{Dash}/gu

/**
 * Marks that are accents or reading aids in their script, and invisible joiners. In other scripts (Devanagari, Thai,
 * kana …) a mark is a vowel or changes the letter, and stays: see docs/decisions/0004-folding.md.
 */
const accents =
  /[[\p{M}&&[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]]--[\u3099\u309a]]|\p{Cf}/gv

/** Plain ASCII is most of what is searched, and folds to its lower case. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range begins with controls
const ascii = /^[\u0000-\u005f\u0061-\u007f]*$/

/**
 * Folds a text for search: without case and accents, apostrophes and dashes of every kind alike, in compatibility form
 * (NFKD), composed again (NFC).
 */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .replace(apostrophes, "'") // NFKD makes a space and an accent of some
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(accents, '')
    .replace(special, (letter) => plainLetters[letter]!)
    .replace(apostrophes, "'")
    .replace(dashes, '-')
    .normalize('NFC')
}

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

/**
 * What a `searchText` has beyond the words of a folded text and one more word, with single spaces between. A leading
 * space says that it does not have that one more word.
 */
export function furtherWords(folded: string, word: string, ...texts: readonly string[]): string {
  const words = wordsAndStarts(texts)
  const told = new Set([...folded.split(' '), word])
  const further = words.filter((word) => !told.has(word)).join(' ')
  return words.includes(word) ? further : ` ${further}`
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

/** Characters that nobody sees (Unicode's Default_Ignorable_Code_Point): soft hyphens, zero-width spaces, fillers. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/**
 * The form in which two texts that differ only in case are equal (close to Unicode's full case folding). It takes the
 * lower case first, because the capital ẞ is its own upper case, and ß becomes SS.
 */
function caseless(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}

/**
 * What an admission number, a label or a role's name is unique by: two that look alike are the same. It has no case,
 * one form (NFKC), one kind of dash, and nothing invisible, which older records may hold.
 */
export function uniqueKey(text: string): string {
  const visible = text
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(/\p{Dash}/gu, '-')
  return caseless(visible).normalize('NFKC').trim()
}
