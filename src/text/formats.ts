import { isKeyText, isName, isPrintable, isPrintableInLines, tidy, tidyLines } from './normalise.ts'
import { isTimeZone } from './time-zones.ts'

/**
 * A text format that schemas name: how a value is normalised, which values are accepted in that form, and the
 * sentence for a value that is not. Lengths are in the schemas, in code points.
 */
interface TextFormat {
  readonly normalise: (text: string) => string
  readonly accepts: (text: string) => boolean
  readonly detail: string
  /** Whether a text is refused for its characters alone. */
  readonly isOfCharacters?: true
}

/** The earliest date that a person can be born on. */
const earliest = '1900-01-01'

/** Whether a text is a day of the calendar as `YYYY-MM-DD`, from 1900 on; 29 February only in leap years. */
function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < earliest) return false
  const date = new Date(`${text}T00:00:00Z`)
  // A day that the month does not have is read as one of the next month.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** HTML's e-mail shape (WHATWG HTML, "valid e-mail address"): ASCII, and a host without a dot is accepted. */
const email =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

const printable = 'must not hold control characters, bidirectional controls or lone surrogates'

const visible =
  'must have a visible character, and no invisible ones, control characters, bidirectional controls or lone surrogates'

export const textFormats = {
  email: {
    // Of ASCII alone: the lower case of the Kelvin sign is k.
    normalise: (text) => text.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    accepts: (text) => email.test(text),
    detail: 'must be an e-mail address in ASCII, for example anna@school.example',
  },
  'person-name': { normalise: tidy, accepts: isName, detail: visible, isOfCharacters: true },
  'admission-number': { normalise: tidy, accepts: isKeyText, detail: visible, isOfCharacters: true },
  identifier: { normalise: tidy, accepts: isKeyText, detail: visible, isOfCharacters: true },
  'role-name': { normalise: tidy, accepts: isKeyText, detail: visible, isOfCharacters: true },
  'class-label': { normalise: tidy, accepts: isKeyText, detail: visible, isOfCharacters: true },
  'field-label': { normalise: tidy, accepts: isKeyText, detail: visible, isOfCharacters: true },
  'field-key': {
    normalise: (text) => text.trim(),
    accepts: (text) => /^[a-z][a-z0-9_]*$/.test(text),
    detail: 'must be of a to z, 0 to 9 and _, and begin with a letter',
  },
  'list-name': { normalise: tidy, accepts: isKeyText, detail: visible, isOfCharacters: true },
  'school-name': { normalise: tidy, accepts: isName, detail: visible, isOfCharacters: true },
  'short-text': { normalise: tidy, accepts: isPrintable, detail: printable, isOfCharacters: true },
  'text-in-lines': {
    normalise: tidyLines,
    accepts: isPrintableInLines,
    detail: `${printable}, but for tabs and line breaks`,
    isOfCharacters: true,
  },
  date: {
    normalise: (text) => text.trim(),
    accepts: isCalendarDate,
    detail: 'must be a day of the calendar from 1900-01-01 on, as YYYY-MM-DD, without a time',
  },
  'time-zone': {
    normalise: (text) => text.trim(),
    accepts: isTimeZone,
    detail: 'must be the name of a time zone in the IANA database, for example Europe/Berlin',
  },
  'new-password': {
    normalise: (text) => text.normalize('NFC'),
    accepts: (text) => text.isWellFormed(),
    detail: 'must not hold lone surrogates',
  },
} as const satisfies Record<string, TextFormat>

/**
 * The first character that a text may not hold, since nobody sees it: `U+200B`.
 * @returns undefined where there is none among the first thousand, which are looked at: a text may be long
 */
export function unseenIn(text: string, format: keyof typeof textFormats): string | undefined {
  const { normalise, accepts, isOfCharacters }: TextFormat = textFormats[format]
  if (isOfCharacters === undefined) return undefined
  const [beginning] = /^.{0,1000}/su.exec(text)!
  const character = [...normalise(beginning)].find((one) => !accepts(`a${one}a`))
  if (character === undefined) return undefined
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
