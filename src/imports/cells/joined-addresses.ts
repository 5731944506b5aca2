import { fold } from '../../text/search-words.ts'
import type { MappedColumn } from '../columns/column-mapping.ts'
import { isAddress } from '../columns/columns.ts'
import { foldHeading } from '../columns/headings.ts'
import type { CellFault } from './faulty.ts'
import type { CellValue } from './row-values.ts'

/* An address whose street, postcode and town have a column each. */

/** An address of which a row gives some parts, and leaves others blank. */
export interface PartialAddress {
  readonly parts: readonly string[]
  /** Whether one is blank that an address has, and not only what few have. */
  readonly isIncomplete: boolean
}

/** The columns of each address that has several, by what they are joined to. */
export function joinedColumns(mapped: readonly MappedColumn[]): ReadonlyMap<string, readonly MappedColumn[]> {
  const parts = mapped.filter(({ column }) => typeof column === 'string' && isAddress(column))
  const byColumn = Map.groupBy(parts, ({ column }) => column!)
  return new Map([...byColumn].filter(([, all]) => all.length > 1))
}

/** What of an address many people have none: a blank cell of it says nothing. But for a street with its number. */
const seldom =
  /^(?!.*(str|rue|calle|plz|post|zip|town|city|\bort\b|stadt\b)).*(zusatz|hausn|haus nr|house n|\bline [23]\b|\bzeile [23]\b|\badd?resse? [23]\b|\b(apt|apartment|flat|unit|floor|c o|county|state|country|land|ortsteil|stadtteil|etage|complement|complemento|piso|pays|pais)\b)/

/** Reads the parts of an address from the cells of a row. @param isBlank whether a cell gives nothing */
export function addressIn(
  columns: readonly MappedColumn[],
  cells: readonly string[],
  isBlank: (cell: string) => boolean,
): PartialAddress & { readonly isPartial: boolean } {
  const blank = columns.filter(({ at }) => isBlank(cells[at] ?? ''))
  return {
    parts: columns.filter((one) => !blank.includes(one)).map(({ at }) => cells[at]!.trim()),
    isPartial: blank.length > 0,
    isIncomplete: blank.some(({ heading }) => !seldom.test(foldHeading(heading))),
  }
}

/** The parts of an address as one text: a postcode stands before its town, a house number behind its street, all else behind a comma. */
export function joined(parts: readonly string[]): string {
  return parts.reduce((before, part) => {
    const isOfStreet = houseNumber.test(part) && /[^\d,]$/.test(before)
    return `${before}${isOfStreet || isOfPostcode(part, before) ? ' ' : ', '}${part}`
  })
}

const houseNumber = /^\d{1,3} ?\p{L}?(?:[/-]\d+)?$/u

/** Not where the town stood before the postcode: then the street comes. */
function isOfPostcode(part: string, before: string): boolean {
  return /(^|, )\d{4,6}$/.test(before) && !(/(^|, )[^\d,]+, \d+$/.test(before) && /\d/.test(part))
}

/**
 * What becomes of an address with blank parts: these take nothing away from what stands there. It stays where the row
 * says nothing new; where the row says something else, a part of that would be lost.
 */
export function weighed(
  given: PartialAddress | undefined,
  known: CellValue,
): 'stays' | 'is given' | CellFault {
  if (given === undefined || typeof known !== 'string') return 'is given'
  const { parts, isIncomplete } = given
  const [stored, told] = [inWords(known), inWords(parts.join(' '))]
  if (parts.every((part) => stored.includes(inWords(part)))) return 'stays'
  const holdsMore = stored
    .trim()
    .split(' ')
    .some((word) => !told.includes(` ${word} `))
  return isIncomplete && holdsMore ? incomplete : 'is given'
}

/** The folded words, with a space around each. */
const inWords = (text: string) => ` ${(fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ')} `

const incomplete: CellFault = {
  code: 'incomplete_address',
  detail: 'is another address with blank parts: fill in all of them, or leave its columns out',
}
