import type { Asked, BoundValues } from '../asked.ts'
import { conditionsOf } from '../filter.ts'
import { foundByGuardian } from './guardians.ts'

/** How many letters of a long number the index is asked for, of its end: numbers begin alike. */
const endOfNumber = 8

/**
 * Whether a search is planned for its values. Parts of numbers are what very many students hold, or none, and classes
 * are large or small; all other searches have one plan.
 */
export function needsPlan({ patterns, classes, guardian, conditions }: Asked): boolean {
  return guardian !== undefined || classes !== 'all' || conditions.length > 0 || patterns.some(hasDigit)
}

/** The parts of a word that the trigram index is asked for. */
export type PartsOf = (word: string) => readonly string[]

const wholeWord: PartsOf = (word) => [word]

/** What a student must be: what the search finds, what else is asked, and in the classes. The trigram index answers `like`; `position` reads what it finds. */
export function conditions(asked: Asked, values: BoundValues, partsOf = wholeWord): string[] {
  const { patterns, classes, guardian } = asked
  const met = conditionsOf(asked.conditions, values)
  const isPlanned = needsPlan(asked)
  const found = patterns.flatMap((pattern) => {
    const parts = hasDigit(pattern) ? [[...pattern].slice(-endOfNumber).join('')] : partsOf(pattern)
    const likes = parts.map((part) => {
      const bound = values.bind(`%${part.replace(/[\\%_]/g, '\\$&')}%`)
      // In a subselect, the planner does not see the pattern.
      return `search_text like ${isPlanned ? bound : `(select ${bound}::text)`}`
    })
    return parts[0] === pattern ? likes : [...likes, `position(${values.bind(pattern)} in search_text) > 0`]
  })
  if (guardian !== undefined) found.push(`students.id in (${foundByGuardian(guardian, values)})`)
  if (classes === 'all') return [...found, ...met]
  return [...found, ...met, `students.class_id = any(${values.bind(`{${classes.join()}}`)}::bigint[])`]
}

function hasDigit(pattern: string): boolean {
  return /[0-9]/.test(pattern)
}
