import { fold } from './fold.ts'

/**
 * The searchable text of a record. Each word stands behind two spaces; so does, besides, each further
 * place inside a word where a word begins (after punctuation; at and after each Han, kana or Hangul
 * character), with its first two characters. A word start of one letter is then the substring
 * "two spaces + letter", of two letters "one space + letters", and three letters or more are found
 * anywhere: all of them substrings of at least three characters, which a trigram index answers.
 */
export function searchText(...texts: readonly string[]): string {
  return wordsAndStarts(texts)
    .map((word) => `  ${word}`)
    .join('')
}

/**
 * What a `searchText` has besides the words of a folded text and one more word, with single spaces between; a
 * space before it tells that it does not have that word.
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
 * What each word of a search must be found as in a `searchText`. Empty: no search. A word of three characters
 * or more that is a part of another one is left out: where that is found, so is it.
 */
export function searchPatterns(search: string): string[] {
  const patterns = [...new Set(foldedWords(search))].map(
    (word) => ' '.repeat(Math.max(0, 3 - [...word].length)) + word,
  )
  return patterns.filter((one) => !patterns.some((other) => other !== one && other.includes(one)))
}

/** Whether no stored text can hold a pattern: it has a control character, and the engines may end a text at one. */
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
