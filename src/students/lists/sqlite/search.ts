import type { Asked } from '../asked.ts'

/** Begins the token of a class in the index, as migration 2 has it. No text of a student can hold it, and no search. */
const classMark = '\u0001'

/** The longest tokens of the index, in letters, as migration 4 has them: of numbers, by their beginning, and of words. */
const cutOfNumber = 6
const cutOfLettersAndNumber = 8
const cutOfWord = 32

/** How many letters the index has lists for (FTS5's `prefix`). */
const width = 3

/** How patterns are looked for. */
export interface Lookup {
  /** What the index is asked for (FTS5's query syntax). */
  readonly match: string
  /** Patterns that the index is asked for only nearly: what it finds is read besides. */
  readonly texts: readonly string[]
}

/**
 * How to find all students of these classes whose text holds the patterns.
 * @param isCommon whether very many hold them, and only the first are wanted
 */
export function lookUp({ patterns, classes }: Asked, isCommon: boolean): Lookup {
  const parts = patterns.map((pattern) => (isCommon ? byThree : byTokens)([...pattern.trimStart()]))
  const terms = parts.flatMap(({ terms }) => terms.map(toTerm))
  return {
    match: [...(classes === 'all' ? [] : [classTerm(classes)]), ...terms].join(' AND '),
    texts: patterns.filter((_, i) => parts[i]!.isNear),
  }
}

/** What the index is asked for, for one pattern; `isNear`: it may find more than that. */
interface Parts {
  readonly terms: readonly (readonly string[])[]
  readonly isNear: boolean
}

/**
 * What of a word the index holds: all of it, or, where its tokens are shorter, its beginning; of a number its
 * end, since very many begin alike.
 */
function byTokens(letters: readonly string[]): Parts {
  const cut = cutOf(letters)
  if (letters.length <= cut) return { terms: [letters], isNear: false }
  return { terms: [cut === cutOfWord ? letters.slice(0, cut) : letters.slice(-cutOfNumber)], isNear: true }
}

/**
 * A word by three letters each, whose lists are read in the order of ids, as far as needed. For more letters the
 * index first gathers all that it finds, which takes long where that is very much.
 */
function byThree(letters: readonly string[]): Parts {
  if (letters.length <= width) return { terms: [letters], isNear: false }
  const terms: (readonly string[])[] = []
  for (let i = 0; i < letters.length - width; i += width - 1) terms.push(letters.slice(i, i + width))
  return { terms: [...terms, letters.slice(-width)], isNear: true }
}

/** What finds the students of some classes: each student has the class as a token. */
function classTerm(classes: readonly number[]): string {
  return `(${classes.map((id) => `"${classMark}${id}"`).join(' OR ')})`
}

function cutOf(letters: readonly string[]): number {
  const cut = letters[0]! < 'a' ? cutOfNumber : cutOfLettersAndNumber
  return /[0-9]/.test(letters.slice(0, cut).join('')) ? cut : cutOfWord
}

/**
 * A word start of one or two letters is a token, and so is what is as long as its tokens are; anything else begins one
 * (FTS5's strings, and prefix queries, which first gather what all tokens find that begin so).
 */
function toTerm(letters: readonly string[]): string {
  const text = `"${letters.join('').replaceAll('"', '""')}"`
  return letters.length < 3 || letters.length === cutOf(letters) ? text : `${text}*`
}
