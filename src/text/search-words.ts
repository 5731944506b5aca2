import { fold } from './fold.ts'

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
  const patterns = [...new Set(foldedWords(search))].map(
    (word) => ' '.repeat(Math.max(0, 3 - [...word].length)) + word,
  )
  return patterns.filter((one) => !patterns.some((other) => other !== one && other.includes(one)))
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
