import { fold } from '../src/text/search-words.ts'

/*
 * The sentence of the reference read aloud: every word must occur in the name or the admission number, in any
 * order: anywhere when it has three characters or more, at the start of a word when it has one or two; each
 * Han, kana and Hangul character is a word. Commas and semicolons behind a word, or
 * alone beside words, do not matter.
 */

/** A folded text, and what is left of it from each place where a word begins. */
export interface Searchable {
  readonly text: string
  readonly beginnings: readonly string[]
}

const whiteSpace = /\s/u
const letterOrDigit = /[\p{L}\p{N}\p{M}]/u
const wordByItself = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆〇]/u

function beginsWord(here: string, before: string | undefined): boolean {
  if (before === undefined || whiteSpace.test(before) || wordByItself.test(here)) return true
  return letterOrDigit.test(here) && (wordByItself.test(before) || !letterOrDigit.test(before))
}

/** What a text is found by. */
export function searchable(text: string): Searchable {
  const characters = [...fold(text)]
  const starts = characters.flatMap((here, at) => (beginsWord(here, characters[at - 1]) ? [at] : []))
  return { text: fold(text), beginnings: starts.map((at) => characters.slice(at).join('')) }
}

/** Whether a folded word occurs in it. */
export function occursIn({ text, beginnings }: Searchable, word: string): boolean {
  if ([...word].length >= 3) return text.includes(word)
  return beginnings.some((rest) => rest.startsWith(word))
}

/** The words of a search. */
export function wordsOf(search: string): readonly string[] {
  const isComma = (character: string | undefined) => character !== undefined && ',;،؛'.includes(character)
  const given = fold(search).split(/\s+/u).filter(Boolean)
  if ([...given.join('')].every(isComma)) return given
  return given.flatMap((word) => {
    let end = word.length
    while (isComma(word[end - 1])) end--
    return end === 0 ? [] : [word.slice(0, end)]
  })
}

/** Whether every word of a search occurs in one of the texts. */
export function isFoundBy(search: string, texts: readonly Searchable[]): boolean {
  return wordsOf(search).every((word) => texts.some((text) => occursIn(text, word)))
}
