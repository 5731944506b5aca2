import { lettersOf } from '../../sheets/cell-names.ts'
import { fold } from '../../text/search-words.ts'

/** Dates as headings explain them: `(dd/mm/yyyy)`, `TT.MM.JJJJ`, `(AAAA-MM-JJ)`. */
const datePattern =
  /\(?\b(?:[dtj]{1,2}[./-]m{1,2}[./-][yja]{2,4}|m{1,2}[./-]d{1,2}[./-]y{2,4}|[yja]{4}[./-]m{1,2}[./-][dtj]{1,2})\b\)?/giu

/**
 * A heading without what people write in different ways: case, accents, punctuation, `firstName` for `first name`,
 * `Parent1` for `Parent 1`, `N.º` for `No`, and how dates are written.
 */
export function foldHeading(heading: string): string {
  const spaced = heading
    .replace(datePattern, ' ')
    .replace(/(?<!\p{L})n(?:\.? ?[º°]|ro\b)/giu, 'No ')
    .replace(/(\p{Ll}(?=\p{Lu}\p{Ll})|\p{L}(?=\d)|\d(?=\p{Lu}\p{Ll}))/gu, '$1 ')
  return fold(spaced)
    .replace(/'s\b/g, '')
    .replaceAll("'", '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

/** How much of a heading names a column, in characters: with `date_order.` before it, a key has 300 at the most. */
export const longestName = 250

/** What heads the first column of a file of refused rows: it says what is wrong with them. */
export const reasonsHeading = 'problem'

/** Whether that is the first column. Anywhere else, such a heading is the file's own. */
export function hasReasons([first]: readonly string[]): boolean {
  return first?.trim() === reasonsHeading
}

/**
 * What the columns are called in questions and answers: their headings, each once. A second `Name` is `Name (2)`, and a
 * column without a heading is `(column C)`. Of a very long heading, it is the beginning. Reasons of refused rows take no
 * name from another column, so that answers hold for that file, too.
 */
export function headingsOf(header: readonly string[]): string[] {
  const names = new Set<string>()
  const reasons = hasReasons(header) ? 1 : 0
  for (let i = reasons; i < header.length; i++) {
    const text = begunBy(header[i]!.trim().replace(/\s+/gu, ' ')) || `(column ${lettersOf(i)})`
    let name = text
    for (let number = 2; names.has(name); number++) name = `${text} (${number})`
    names.add(name)
  }
  if (reasons === 0) return [...names]
  return [names.has(reasonsHeading) ? `(column ${lettersOf(0)})` : reasonsHeading, ...names]
}

function begunBy(heading: string): string {
  if (heading.length <= longestName) return heading
  return [...heading].slice(0, longestName).join('').trimEnd()
}

/** Whether two rows are one header: blank cells at the end do not count. */
export function isSameHeader(one: readonly string[], other: readonly string[]): boolean {
  const keyOf = (header: readonly string[]) => header.map(foldHeading).join('\n').trimEnd()
  return keyOf(one) === keyOf(other)
}
