import { invalidField, type Problem } from '../problems.ts'

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

/** How many different words a search may have: each costs a look into the index. */
export const maxSearchWords = 10

/**
 * The substrings that a `searchText` must contain, one for each word of a search. Empty: no search. A word of three
 * characters or more that is part of another one is left out, because the other one implies it.
 */
export function searchPatterns(search: string): string[] {
  const patterns = [...new Set(soughtWords(search))].map(
    (word) => ' '.repeat(Math.max(0, 3 - [...word].length)) + word,
  )
  return patterns.filter((one) => !patterns.some((other) => other !== one && other.includes(one)))
}

/**
 * The folded words of a search, without commas and semicolons behind them or alone: lists have `Müller, Zoë` for Zoë
 * Müller. A search that is nothing else looks for these.
 */
export function soughtWords(search: string): string[] {
  const words = foldedWords(search)
  const bare = words.map((word) => word.replace(/[,;،؛]+$/u, '')).filter(Boolean)
  return bare.length > 0 ? bare : words
}

/**
 * The texts that a searched text must all hold, of a request's `search`.
 * @param pointer where that stands
 * @throws Problem validation_failed when it has too many words
 */
export function patternsOf(search: string, pointer = '/search'): string[] {
  const patterns = searchPatterns(search)
  if (patterns.length > maxSearchWords) throw tooManyWords(pointer)
  return patterns
}

/** @param pointer which parameter it is */
export function tooManyWords(pointer: string): Problem {
  return invalidField(pointer, {
    code: 'too_many_words',
    detail: `must have at most ${maxSearchWords} different words`,
    params: { limit: maxSearchWords },
  })
}

/** Whether no stored text can contain a pattern: it has a control character, and an engine may end a text there. */
export function isNowhere(pattern: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return /[\u0000-\u001f\u007f]/.test(pattern)
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
  return characters.flatMap((character, i) =>
    i > 0 && beginsWord(character, characters[i - 1]!) ? [character + (characters[i + 1] ?? '')] : [],
  )
}

/** Whether a word begins with a character that stands after this one. */
function beginsWord(character: string, before: string): boolean {
  if (ideograph.test(character)) return true
  return wordCharacter.test(character) && (ideograph.test(before) || !wordCharacter.test(before))
}

/**
 * The folded words of a text, each with two spaces before it and before each word that begins inside. Another text
 * holds them at the start of a word where it contains them in that form.
 */
export function markedWords(text: string): string[] {
  return foldedWords(text).map((word) => {
    const characters = [...word]
    const marked = characters.map((character, i) =>
      i === 0 || beginsWord(character, characters[i - 1]!) ? `  ${character}` : character,
    )
    return marked.join('')
  })
}
