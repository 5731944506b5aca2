/** A word to search for, and in how many names it stands: a search for it finds about so many records. */
export interface SearchWord {
  readonly word: string
  readonly hits: number
}

/** What the benchmark searches for, folded. */
export interface SearchWords {
  /** Words of a handful of hits each. */
  readonly rare: readonly SearchWord[]
  /** One word of about 5.5 % of all records. */
  readonly common: SearchWord
  /** That word, and the one that stands beside it most often. */
  readonly twoWords: string
  /** What most names' words begin with: one character, and two. */
  readonly oneLetter: SearchWord
  readonly twoLetters: SearchWord
}

const commonShare = 0.055
const rareWords = 200
const handful = 5
/** Words of fewer letters occur inside very many others. */
const leastLetters = 5
/** How many rare words are looked at: most of them occur inside others, and so have more hits. */
const candidates = 2_000

/** In how many names each word stands, and each beginning of a word. */
export class WordCounts {
  readonly words = new Map<string, number>()
  readonly letters = new Map<string, number>()
  readonly pairs = new Map<string, number>()

  add(foldedName: string): void {
    const words = wordsOf(foldedName)
    const beginning = (length: number) => new Set([...words].map((word) => firstCharacters(word, length)))
    countEach(this.words, words)
    countEach(this.letters, beginning(1))
    countEach(this.pairs, beginning(2))
  }
}

/** Chooses among the words that were counted; `names` are some of the names, folded. */
export function chooseWords(counts: WordCounts, records: number, names: readonly string[]): SearchWords {
  const words = listed(counts.words).filter(({ word }) => [...word].length >= leastLetters)
  const nearest = (wanted: number) => (a: SearchWord, b: SearchWord) =>
    Math.abs(a.hits - wanted) - Math.abs(b.hits - wanted) || (a.word < b.word ? -1 : 1)
  const [common] = [...words].sort(nearest(records * commonShare))
  if (common === undefined) throw new Error('there are too few students to choose words from')
  const hitsOf = substringCounter(counts.words)
  const searched = ({ word }: SearchWord): SearchWord => ({ word, hits: hitsOf(word) })
  const rare = words.sort(nearest(handful)).slice(0, candidates).map(searched)
  return {
    rare: rare.sort(nearest(handful)).slice(0, rareWords),
    common: searched(common),
    twoWords: `${common.word} ${companionOf(common.word, names)}`,
    oneLetter: mostFrequent(counts.letters),
    twoLetters: mostFrequent(counts.pairs),
  }
}

function wordsOf(foldedName: string): Set<string> {
  return new Set(foldedName.split(/\s+/u))
}

function firstCharacters(word: string, length: number): string {
  let end = 0
  for (let i = 0; i < length; i++) end += (word.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return word.slice(0, end)
}

function countEach(counts: Map<string, number>, words: Iterable<string>): void {
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
}

function listed(counts: ReadonlyMap<string, number>): SearchWord[] {
  return [...counts].map(([word, hits]) => ({ word, hits }))
}

function mostFrequent(counts: ReadonlyMap<string, number>): SearchWord {
  return listed(counts).reduce((most, one) => (one.hits > most.hits ? one : most))
}

/** The word that most of the names with this word hold besides. */
function companionOf(word: string, names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const words of names.map(wordsOf)) {
    if (words.delete(word)) countEach(counts, words)
  }
  return counts.size === 0 ? '' : mostFrequent(counts).word
}

/** Counts the names that hold a text inside a word. A name with two such words counts twice. */
function substringCounter(counts: ReadonlyMap<string, number>): (text: string) => number {
  const haystack = `\n${[...counts.keys()].join('\n')}\n`
  return (text) => {
    let hits = 0
    for (let at = haystack.indexOf(text); at !== -1; at = haystack.indexOf(text, at)) {
      const end = haystack.indexOf('\n', at)
      hits += counts.get(haystack.slice(haystack.lastIndexOf('\n', at) + 1, end)) ?? 0
      at = end
    }
    return hits
  }
}
