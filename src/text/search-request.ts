import { invalidField, type Problem } from '../problems.ts'
import { maxSearchWords, searchPatterns } from './search-words.ts'

/**
 * The texts that a searched text must all hold, of a request's `search`.
 * @throws Problem validation_failed when it has too many words
 */
export function patternsOf(search: string): string[] {
  const patterns = searchPatterns(search)
  if (patterns.length > maxSearchWords) throw tooManyWords('/search')
  return patterns
}

/** @param pointer which parameter it is */
export function tooManyWords(pointer: string): Problem {
  return invalidField(pointer, {
    code: 'too_many_words',
    detail: `must have at most ${maxSearchWords} different words`,
    params: { limit: maxSearchWords },
  })
}
