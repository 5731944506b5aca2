/** A word to search for, and how many records a search for it finds. */
export interface SearchWord {
  readonly word: string
  readonly hits: number
}

export interface SearchWords {
  /** Words of a handful of hits each. */
  readonly rare: readonly SearchWord[]
  /** One word of about 5 % of all records. */
  readonly common: SearchWord
}

const commonShare = 0.05
const rareWords = 200
const handful = 5
/** Words of fewer letters occur inside very many others. */
const leastLetters = 5
/** How many rare words are looked at: most of them occur inside others, and so have more hits. */
const candidates = 2_000

/**
 * Chooses what the benchmark searches for, among the words of all names, folded. `counts` says in how many
 * names each stands as a word; `countHits` how many records a search for it finds.
 */
export function chooseWords(
  counts: ReadonlyMap<string, number>,
  records: number,
  countHits: (word: string) => number,
): SearchWords {
  const words = [...counts]
    .filter(([word]) => [...word].length >= leastLetters)
    .map(([word, hits]) => ({ word, hits }))
  const nearest = (wanted: number) => (a: SearchWord, b: SearchWord) =>
    Math.abs(a.hits - wanted) - Math.abs(b.hits - wanted) || (a.word < b.word ? -1 : 1)
  const [common] = [...words].sort(nearest(records * commonShare))
  if (common === undefined) throw new Error('there are too few students to choose words from')
  const searched = ({ word }: SearchWord): SearchWord => ({ word, hits: countHits(word) })
  const rare = words.sort(nearest(handful)).slice(0, candidates).map(searched)
  return { rare: rare.sort(nearest(handful)).slice(0, rareWords), common: searched(common) }
}
