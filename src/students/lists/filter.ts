import type { Scope } from '../../access/scope.ts'
import { invalidField, type Problem } from '../../problems.ts'
import { isNowhere, maxSearchWords, searchPatterns } from '../../text/search-words.ts'

/** Which students a list is of. */
export interface StudentFilter {
  /** Words that all must be found; empty: no search. */
  readonly search: string
  readonly classId: number | undefined
}

/** The same as engines ask for it. */
export interface Chosen {
  /** Texts that the searched text of a student must all hold. */
  readonly patterns: readonly string[]
  /** The classes that the student may be in: never none. */
  readonly classes: Scope
}

/**
 * What a caller who sees these classes chooses.
 * @returns undefined where nobody can be found
 * @throws Problem validation_failed when the search has too many words
 */
export function choose(scope: Scope, { search, classId }: StudentFilter): Chosen | undefined {
  const patterns = searchPatterns(search)
  if (patterns.length > maxSearchWords) throw tooManyWords()
  const classes = classId === undefined ? scope : within(scope, classId)
  if (classes.length === 0 || patterns.some(isNowhere)) return undefined
  return { patterns, classes }
}

function within(scope: Scope, classId: number): readonly number[] {
  return scope === 'all' || scope.includes(classId) ? [classId] : []
}

function tooManyWords(): Problem {
  return invalidField('/search', {
    code: 'too_many_words',
    detail: `must have at most ${maxSearchWords} different words`,
    params: { limit: maxSearchWords },
  })
}
