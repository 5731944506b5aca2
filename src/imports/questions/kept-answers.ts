import { foldHeading } from '../columns/headings.ts'
import type { Settings } from '../model.ts'

/**
 * What is kept for the next file with the same headings. That is what they mean, how dates and names are written, what
 * guardians without a name are called, which classes labels mean, and how rows match. What clears a value, the class of
 * all rows and where numbers start are this file's.
 */
const kept = /^(?:column|date_order|class)\.|^(?:name_order|guardian_name|match|encoding|delimiter)$/

/** The answers that hold for the next file with the same headings. A class that was created is there by then. */
export function mappingAnswers(settings: Settings): Settings {
  const answers = Object.entries(settings).filter(
    ([key, answer]) => kept.test(key) && !(key.startsWith('class.') && answer === 'create'),
  )
  return Object.fromEntries(answers)
}

/** What two headers have in common whose files have the same mapping: the folded headings, in order. */
export function signatureOf(header: readonly string[]): readonly string[] {
  const folded = header.map(foldHeading)
  const last = folded.findLastIndex((heading) => heading !== '')
  return folded.slice(0, last + 1)
}
