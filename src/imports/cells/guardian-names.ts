import type { NameOrder } from '../../school/name-order.ts'
import { codePointsOf } from '../../students/doubles/distance.ts'
import { fold } from '../../text/search-words.ts'
import { distanceWithin } from '../columns/distance.ts'

/** Whether two names are of one person; `kin`: of two who share a word, as the parents of a child do. */
export type Kinship = 'one' | 'kin' | 'unlike' | 'two'

/** What helps to tell a given name from a surname. */
export interface OfChild {
  readonly order: NameOrder
  /** The surname of the child, or the whole name. */
  readonly surname: string
}

/**
 * Compares two names of guardians. They are of one person where one has the words of the other and more, where a word
 * has a slip, and where the given name is the same and the surname is not. A surname alone says nothing: so have both
 * parents. `two`: they are a woman and a man by their titles.
 */
export function kinshipOf(one: string, other: string, child: OfChild): Kinship {
  const [a, b] = [readName(one), readName(other)]
  const isSameTitle = a.title !== undefined && a.title === b.title
  if (a.title !== undefined && b.title !== undefined && !isSameTitle) return 'two'
  const [left, right] = [a.words.filter(isNotIn(b.words)), b.words.filter(isNotIn(a.words))]
  if (left.length === 0 || right.length === 0) return 'one'
  const given = givenNameOf(a, child)
  const isSameGiven = given !== undefined && given === givenNameOf(b, child)
  const isMarried = isSameGiven && a.words.at(-1) !== b.words.at(-1)
  if (isMarried || isSlip(left.join(''), right.join(''), isSameGiven || isSameTitle)) return 'one'
  return left.length < a.words.length ? 'kin' : 'unlike'
}

interface ReadName {
  readonly words: readonly string[]
  readonly isTurned: boolean
  readonly title: 'woman' | 'man' | undefined
}

const wordsOf = (text: string) => [...fold(text).matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(([word]) => word)

/** Umm and Abu are mother and father of somebody; what stands in front of any name says nothing. */
const titles = new Map(
  [
    ['woman', 'Frau Fr Mrs Ms Miss Madame Mme Mlle Señora Sra Srta Umm أم السيدة'] as const,
    ['man', 'Herr Herrn Hr Mr Monsieur Señor Sr Abu أبو السيد'] as const,
    [undefined, 'Dr Prof Abd عبد'] as const,
  ].flatMap(([title, words]) => wordsOf(words).map((word) => [word, title] as const)),
)

/** The words in front of which no comma stands any more: `Müller, Anna` is Anna Müller. Titles are no words of a name. */
function readName(name: string): ReadName {
  const [family = '', ...others] = name.split(/[,،]/u)
  const isTurned = others.some((part) => part.trim() !== '')
  const all = wordsOf([...others, family].join(' '))
  const words = all.filter((word, at) => !titles.has(word) || at === all.length - 1)
  const title = all.slice(0, -1).find((word) => titles.get(word) !== undefined)
  return { words, isTurned, title: title === undefined ? undefined : titles.get(title) }
}

/** The first word, where it is known to be no surname. */
function givenNameOf({ words, isTurned }: ReadName, { order, surname }: OfChild): string | undefined {
  const isFirst = isTurned || order === 'given_first'
  return isFirst && !wordsOf(surname).includes(words[0]!) ? words[0] : undefined
}

/** Initials are the words that begin so. */
const isNotIn = (words: readonly string[]) => (word: string) =>
  !words.some(
    (one) =>
      one === word ||
      (one.length === 1 && word.startsWith(one)) ||
      (word.length === 1 && one.startsWith(word)),
  )

/** @param isAnywhere else the first and the last letter must be the same: Daniel and Daniela are two */
function isSlip(one: string, other: string, isAnywhere: boolean): boolean {
  if (!isAnywhere && (one[0] !== other[0] || one.at(-1) !== other.at(-1))) return false
  const longest = Math.max(one.length, other.length)
  const most = longest < 4 ? 0 : longest < 8 ? 1 : 2
  return distanceWithin(most, codePointsOf(one), codePointsOf(other)) !== undefined
}
