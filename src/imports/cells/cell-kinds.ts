import type { Kind } from '../../fields/kinds.ts'
import { isErrorText } from '../../sheets/error-texts.ts'
import { fieldToBe } from '../columns/new-fields.ts'
import { isFault, type ReadCell, readerOf, remembering } from './cell-readers.ts'
import type { DateOrder } from './dates.ts'

/** In the order in which they are proposed. A column of dates has the day first in all of them, or the month. */
const proposals: readonly (readonly [kind: Kind, order?: DateOrder])[] = [
  ['date', 'day_first'],
  ['date', 'month_first'],
  ['number'],
  ['yes_no'],
  ['text'],
  ['text_in_lines'],
]

/** A number that is no code: as a number, a postcode or a phone number would lose a zero in front. */
const plainNumber = /^[-\u2212]?(?:0|[1-9]\d{0,3})(?:[.,]\d+)?$/

/** Which kinds a column of numbers alone may be: one of codes may look like dates, as `20140309`. */
const isOfNumbers = (kind: Kind) => kind === 'number' || kind === 'date'

/** Finds which kinds all cells of a column can be read as, if it becomes a field of the school's own. */
export class CellKinds {
  #readers: readonly { readonly kind: Kind; readonly read: ReadCell }[]
  #mayBeCodes = false

  /** @param areNumbers whether all of its cells are numbers of a spreadsheet */
  constructor(areNumbers: boolean) {
    this.#readers = proposals.map(([kind, order]) => {
      const field = fieldToBe({ key: 'new', label: 'New', kind })
      const dates = { order, firstYear: 2000 } // which years two digits mean is asked once it is a date
      return { kind, read: remembering(readerOf('fields.new', field, { dates, areNumbers })!) }
    })
  }

  /** @param cell one that is not blank; an error of a formula is refused, whatever the kind is */
  add(cell: string): void {
    if (isErrorText(cell)) return
    if (this.#readers.some(({ read }) => isFault(read(cell))))
      this.#readers = this.#readers.filter(({ read }) => !isFault(read(cell)))
    this.#mayBeCodes ||= !plainNumber.test(cell.trim())
  }

  /** The kinds that fit, the proposed one first. */
  get all(): Kind[] {
    const kinds = [...new Set(this.#readers.map(({ kind }) => kind))]
    if (!this.#mayBeCodes || !kinds.includes('number')) return kinds
    const [codes, others] = [kinds.filter(isOfNumbers), kinds.filter((kind) => !isOfNumbers(kind))]
    return [...others, ...codes]
  }
}
