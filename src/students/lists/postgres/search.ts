import type { Asked, BoundValues } from '../asked.ts'
import { conditionsOf } from '../filter.ts'
import { foundByGuardian } from './guardians.ts'
import { inClasses } from './ids.ts'

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

/**
 * What a student must be to be found by the search, and by a guardian. The trigram index answers `like`; `position`
 * reads what it finds.
 */
export function searched(asked: Asked, values: BoundValues, partsOf: PartsOf): string[] {
  const { patterns, guardian } = asked
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
  if (guardian === undefined) return found
  return [...found, `students.id in (${foundByGuardian(guardian, values)})`]
}

/** What else a student must be: what the conditions say, and in the classes. */
export function restricted(
  { classes, conditions }: Pick<Asked, 'classes' | 'conditions'>,
  values: BoundValues,
): string[] {
  const met = conditionsOf(conditions, values)
  return classes === 'all' ? met : [...met, inClasses(classes, values)]
}

function hasDigit(pattern: string): boolean {
  return /[0-9]/.test(pattern)
}
