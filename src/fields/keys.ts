import { fold } from '../text/search-words.ts'
import { maxKeyLength } from './kinds.ts'

/** Room for `_` and a number. */
const maxStemLength = maxKeyLength - 3

/** The key made of a label: `Free school meals` makes `free_school_meals`. One that is taken gets a number. */
export function keyOf(label: string, taken: readonly string[]): string {
  const plain = fold(label)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
  const stem = plain.slice(0, maxStemLength).replace(/_+$/, '') || 'field'
  let key = stem
  for (let number = 2; taken.includes(key); number++) key = `${stem}_${number}`
  return key
}
