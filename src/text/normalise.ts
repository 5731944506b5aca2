/** Trims, and composes to NFC: the form in which every text is stored and compared. */
export function tidy(text: string): string {
  return text.trim().normalize('NFC')
}

/** As `tidy`, with each line break as a single line feed. */
export function tidyLines(text: string): string {
  return tidy(text.replace(/\r\n?/g, '\n'))
}

/**
 * Characters that no name may hold: NUL and other controls, bidirectional controls (UAX #9), noncharacters and lone
 * surrogates. They cannot be seen or stored, or they reorder what is seen.
 */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Noncharacter_Code_Point}\p{Cs}]/u

/** Whether every character can be stored and is shown in its order. ZWJ, ZWNJ, marks and apostrophes are. */
export function isPrintable(text: string): boolean {
  return !forbidden.test(text)
}

/** Characters that nobody sees (Unicode's Default_Ignorable_Code_Point): soft hyphens, zero-width spaces, fillers. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** The pattern of Braille without a dot: a symbol, and blank. */
const blank = '\u2800'

/** A letter, digit, punctuation mark or symbol: what can be seen where nothing is invisible or blank. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether a text may be told apart from others by what is seen: an admission number, a label, a role's name. */
export function isKeyText(text: string): boolean {
  return isPrintable(text) && text.search(invisible) < 0 && !text.includes(blank) && visible.test(text)
}

/** The same for a person's name, in which ZWJ and ZWNJ are part of the spelling. */
export function isName(text: string): boolean {
  return isKeyText(text.replace(/[\u200c\u200d]/g, ''))
}

/** A text as it can be shown: without the characters that `isPrintable` refuses, trimmed, and cut short. */
export function shown(text: string, maxLength: number): string {
  const printable = [...text.toWellFormed()].filter(isPrintable).join('')
  return [...printable.trim()].slice(0, maxLength).join('').trim()
}

/** As `isPrintable`, for a text that may have tabs and several lines. */
export function isPrintableInLines(text: string): boolean {
  return isPrintable(text.replace(/[\t\n]/g, ' '))
}

/** Whether more than 30 combining marks stand in a row, which no language needs (UAX #15, stream-safe text). */
export function hasLongRunOfMarks(text: string): boolean {
  return /(?<!\p{M})\p{M}{31}/u.test(text)
}

/** The length of a text in code points. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * The form in which two texts that differ only in case are equal (close to Unicode's full case folding). It takes the
 * lower case first, because the capital ẞ is its own upper case, and ß becomes SS.
 */
function caseless(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}

/**
 * What an admission number, a label or a role's name is unique by: two that look alike are the same. It has no case,
 * one form (NFKC), one kind of dash, and nothing invisible, which older records may hold.
 */
export function uniqueKey(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase().trim() // ASCII, as most are, is in that form but for its case
  const visible = text
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(/\p{Dash}/gu, '-')
  return caseless(visible).normalize('NFKC').trim()
}
