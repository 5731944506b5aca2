import type { Chosen } from '../filter.ts'
import type { BoundValues } from '../values.ts'

/** How many letters of a long number the index is asked for, of its end: numbers begin alike. */
const endOfNumber = 8

/** What a student must be of that the search finds. The trigram index answers `like`; `position` reads what it finds. */
export function conditions({ patterns, classes }: Chosen, values: BoundValues): string[] {
  const found = patterns.flatMap((pattern) => {
    const asked = /[0-9]/.test(pattern) ? [...pattern].slice(-endOfNumber).join('') : pattern
    const like = `search_text like ${values.bind(`%${asked.replace(/[\\%_]/g, '\\$&')}%`)}`
    return asked === pattern ? [like] : [like, `position(${values.bind(pattern)} in search_text) > 0`]
  })
  if (classes === 'all') return found
  return [...found, `students.class_id = any(${values.bind(`{${classes.join()}}`)}::bigint[])`]
}
