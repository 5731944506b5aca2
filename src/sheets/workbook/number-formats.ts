import { momentText, type Shown } from './dates.ts'

/** What a cell shows of a number. */
interface ShownNumber {
  readonly text: string
  /** Whether it is the number itself: no day, and its format adds no zeros or letters to any number. */
  readonly isPlain: boolean
}

export type NumberFormat = (value: string, is1904: boolean) => ShownNumber

/** Formats that have a number and no code: ECMA-376 part 1, 18.8.30, with those of East Asia. */
const builtIn = new Map<number, string>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'y-m-d'] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [id, 'h:s'] as const),
  [22, 'y-m-d h:s'],
])

/**
 * How cells of a format show numbers. Days and times have one form, whatever the format's. Whole numbers get the zeros
 * and letters of formats such as `00000` and `"A-"000`. All else is the number itself.
 * @param code of the format; undefined: it is one of those that have none
 */
export function numberFormat(id: number, code = builtIn.get(id)): NumberFormat {
  if (code === undefined) return plainNumber
  const sections = sectionsOf(code)
  const shown = momentOf(sections[0]!)
  if (shown !== undefined) {
    return (value, is1904) => {
      const text = momentText(Number(value), shown, is1904)
      return text === undefined ? plainNumber(value) : { text, isPlain: false }
    }
  }
  if (conditionOf(sections[0]!) === undefined) {
    const [positive, negative] = sections.map(picture)
    return byPictures(positive, negative)
  }
  const cases = sections.map((section) => ({
    holds: conditionOf(section) ?? (() => true),
    format: byPictures(picture(section)),
  }))
  return (value, is1904) => {
    const { format = plainNumber } = cases.find(({ holds }) => holds(Number(value))) ?? {}
    return format(value, is1904)
  }
}

type Picture = (digits: string) => string

function byPictures(positive?: Picture, negative?: Picture): NumberFormat {
  if (positive === undefined) return plainNumber
  const isPlain = positive('1') === '1' // else no zeros are lost: 1001 by `0000`
  return (value) => {
    const number = Number(value)
    if (!Number.isSafeInteger(number)) return plainNumber(value)
    const digits = String(Math.abs(number))
    const ofNegative = negative ?? ((digits: string) => `-${positive(digits)}`)
    const text = (number < 0 ? ofNegative : positive)(digits)
    return isPlain && text === String(number) ? plainNumber(value) : { text, isPlain: false }
  }
}

/** A number in full, with no exponent; fractions with the fifteen digits that spreadsheets show. */
export function plainNumber(value: string): ShownNumber {
  if (/^(0|[1-9]\d*)$/.test(value)) return { text: value, isPlain: true }
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return { text: value, isPlain: true }
  const text = String(Number.isInteger(number) ? number : Number(number.toPrecision(15)))
  return { text: text.includes('e') ? inFull(Number(text)) : text, isPlain: true }
}

function inFull(number: number): string {
  return number.toLocaleString('en-US', { useGrouping: false, maximumSignificantDigits: 17 })
}

interface Token {
  readonly type: 'literal' | 'bracket' | 'sign'
  readonly text: string
}

/** The sections of a format's code: for positive numbers, negative ones, zero and texts. */
function sectionsOf(code: string): Token[][] {
  const sections: Token[][] = [[]]
  const pattern = /"([^"]*)"?|\\(.)|[_*].|\[([^\]]*)\]|general|am\/pm|a\/p|(;)|(.)/gis
  for (const [, quoted, escaped, bracket, end, sign] of code.matchAll(pattern)) {
    const section = sections.at(-1)!
    if (end !== undefined) sections.push([])
    else if (bracket !== undefined) section.push({ type: 'bracket', text: bracket })
    else if (sign !== undefined) section.push({ type: 'sign', text: sign })
    else if (quoted !== undefined || escaped !== undefined)
      section.push({ type: 'literal', text: quoted ?? escaped! })
  }
  return sections
}

function momentOf(section: readonly Token[]): Shown | undefined {
  const isElapsed = section.some(({ type, text }) => type === 'bracket' && /^(h+|m+|s+)$/i.test(text))
  const signs = section.map(({ type, text }) => (type === 'sign' ? text : ' ')).join('')
  const hasTime = isElapsed || /[hs]/i.test(signs)
  const hasDate = /[yd]/i.test(signs) || (!hasTime && /m/i.test(signs))
  if (hasDate) return hasTime ? 'both' : 'date'
  if (isElapsed) return 'elapsed'
  return hasTime ? 'time' : undefined
}

/** Which numbers a section is for, such as `[<=999]`; undefined: it does not say. */
function conditionOf(section: readonly Token[]): ((number: number) => boolean) | undefined {
  for (const { type, text } of section) {
    const [, sign, limit] = (type === 'bracket' && /^(<>|[<>]?=|[<>])(-?[\d.]+)$/.exec(text)) || []
    if (sign === undefined) continue
    const than = Number(limit)
    return (number) =>
      (sign.includes('<') && number < than) ||
      (sign.includes('>') && number > than) ||
      (sign.includes('=') && number === than)
  }
  return undefined
}

/** Puts digits into a section that has places for them and literals alone; undefined: it has something else. */
function picture(section: readonly Token[]): Picture | undefined {
  const tokens = section.filter(({ type }) => type !== 'bracket')
  const isPlace = ({ type, text }: Token) => type === 'sign' && /[0#?]/.test(text)
  const isLiteral = ({ type, text }: Token) => type === 'literal' || /[-+() :]/.test(text)
  const hasCurrency = section.some(({ type, text }) => type === 'bracket' && /\$(?!-)/.test(text))
  const isPicture = tokens.every((token) => isPlace(token) || isLiteral(token))
  if (hasCurrency || !isPicture || tokens.some(({ text }) => /\p{Sc}/u.test(text))) return undefined
  const first = tokens.findIndex(isPlace)
  if (first === -1) return undefined
  return (digits) => {
    let rest = digits === '0' ? '' : digits
    let shown = ''
    for (let i = tokens.length - 1; i >= 0; i--) {
      const token = tokens[i]!
      if (!isPlace(token)) shown = token.text + shown
      else if (i === first) shown = rest.padStart(token.text === '0' ? 1 : 0, '0') + shown
      else if (rest !== '') [rest, shown] = [rest.slice(0, -1), rest.slice(-1) + shown]
      else if (token.text === '0') shown = `0${shown}`
    }
    return /\d/.test(shown) ? shown : digits
  }
}
