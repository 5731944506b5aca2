import type { Authority } from '../../access/authority.ts'
import type { Db } from '../../db/tables.ts'
import { rowAt } from '../../events/import-note.ts'
import { fold } from '../../text/search-words.ts'
import { kinshipOf } from '../cells/guardian-names.ts'
import type { CellValue } from '../cells/row-values.ts'
import { allAnswers } from '../columns/file-columns.ts'
import type { ImportRow } from '../model.ts'
import {
  fullNamesKept,
  namesWithCommas,
  oddAges,
  oddNames,
  otherChildren,
  otherDates,
  otherNames,
  schoolAges,
  turnedNames,
  unknownIds,
  type WarnedRows,
} from '../questions/row-warnings.ts'
import { digitsLost, lettersLost, type Warning, zerosLost, zerosMissing } from '../questions/warnings.ts'
import { sheetNameOf } from '../row-places.ts'
import { countThere, type NamedChild } from './already-there.ts'
import { LostZeros } from './lost-zeros.ts'
import { hasOddName, keepsOldName, otherName, turnsNames } from './name-changes.ts'
import type { RowPlan } from './row-plan.ts'

/**
 * Counts what is seldom meant, to warn of it. Cells lack what a spreadsheet takes from a number, or letters that an
 * encoding does not have. Rows give a student both another name and another date of birth, a name of which no word was
 * there, or some another date of birth alone. Full names do not follow their parts, or have a comma. New students have
 * an id that nobody has. Dates of birth are of nobody who goes to a school, and names of nobody at all.
 */
export class OddChanges {
  readonly #zeros = new Map<string, number>()
  readonly #lostZeros = new LostZeros()
  readonly #digits = new Map<string, number>()
  readonly #longNumbers = new Map<string, LongNumbers>()
  readonly #letters = new Map<string, number>()
  readonly #others: (NamedChild & { readonly place: number })[] = []
  readonly #otherNames: number[] = []
  readonly #otherDates: number[] = []
  readonly #turnedNames: number[] = []
  readonly #unknownIds: number[] = []
  readonly #commas: number[] = []
  readonly #keptNames: number[] = []
  /** How many students are made, and the places of those with odd names. */
  #made = 0
  readonly #oddNames: number[] = []
  /** How many dates of birth are given, and the places of those that are odd. */
  #births = 0
  readonly #oddAges: number[] = []
  readonly #oldest: string
  readonly #youngest: string

  /** @param today a calendar date */
  constructor(today: string) {
    const yearsAgo = (years: number) => `${Number(today.slice(0, 4)) - years}${today.slice(4)}`
    this.#oldest = yearsAgo(schoolAges.most + 1)
    this.#youngest = yearsAgo(schoolAges.least)
  }

  /** Of a row that makes a student: its id is of nobody. */
  addUnknownId(place: number): void {
    this.#unknownIds.push(place)
  }

  add(place: number, { student, changes }: Pick<RowPlan, 'student' | 'changes'>): void {
    for (const [column, [from, to]] of Object.entries(changes)) {
      if (column.endsWith('_phone') && typeof to === 'string') this.#lostZeros.add(column, to)
      if (from === null && !/\?|E\+|\d{16}/.test(String(to))) continue // nothing was there to be lost
      const pairs = textPairs(from, to)
      if (pairs.some(lacksZeros)) countIn(this.#zeros, column)
      if ([to].flat().some(isCut)) countIn(this.#digits, column)
      this.#addLong(column, to)
      if (pairs.some((pair) => lacksLetters(pair, column))) countIn(this.#letters, column)
    }
    if (String(changes.name?.[1]).includes(',')) this.#commas.push(place)
    if (student !== undefined && keepsOldName(student.name, changes)) this.#keptNames.push(place)
    const [before, after] = changes.date_of_birth ?? [null, null]
    if (typeof after === 'string') {
      this.#births++
      if (after <= this.#oldest || after > this.#youngest) this.#oddAges.push(place)
    }
    if (student === undefined) {
      this.#made++
      if (hasOddName(changes)) this.#oddNames.push(place)
      return
    }
    if (turnsNames(changes)) this.#turnedNames.push(place)
    const name = otherName(student, changes)
    const isOtherDate = before !== null && after !== null
    if (name === undefined && isOtherDate) this.#otherDates.push(place)
    else if (name !== undefined && isOtherDate)
      this.#others.push({ place, foldedName: fold(name), dateOfBirth: String(after) })
    else if (name !== undefined && kinshipOf(student.name, name, anyChild) === 'unlike')
      this.#otherNames.push(place)
  }

  #addLong(column: string, to: CellValue): void {
    const long = [to].flat().filter(isLong)
    if (long.length === 0) return
    const { cells, areRounded } = this.#longNumbers.get(column) ?? { cells: 0, areRounded: true }
    this.#longNumbers.set(column, { cells: cells + 1, areRounded: areRounded && long.every(isRounded) })
  }

  /** How many cells of a column have a number that a spreadsheet cut. */
  *#digitsLost(): Generator<readonly [column: string, cells: number]> {
    for (const column of new Set([...this.#digits.keys(), ...this.#longNumbers.keys()])) {
      const { cells = 0, areRounded } = this.#longNumbers.get(column) ?? {}
      const lost = (this.#digits.get(column) ?? 0) + (areRounded ? cells : 0)
      if (lost > 0) yield [column, lost]
    }
  }

  /**
   * Warns of each column, and of the rows.
   * @param authority by whom the rows are planned: of other students it is told only what it may see
   * @param unwritten places of rows that are doubtful or refused for another row's sake
   */
  async warnings(
    db: Db,
    authority: Authority,
    imported: Pick<ImportRow, 'facts' | 'settings'>,
    unwritten: ReadonlySet<number>,
  ): Promise<readonly Warning[]> {
    const meant = Object.entries(allAnswers(imported))
    const headingOf = (column: string) => {
      const key = meant.find(([key, answer]) => answer === column && key.startsWith('column.'))?.[0]
      return key?.slice('column.'.length) ?? column
    }
    const isJoined = this.#letters.has('given_name') || this.#letters.has('family_name')
    const lost = [
      ...[...this.#letters].flatMap(([column, cells]) =>
        column === 'name' && isJoined ? [] : lettersLost(headingOf(column), cells),
      ),
      ...[...this.#zeros].map(([column, cells]) => zerosLost(headingOf(column), cells)),
      ...[...this.#lostZeros.lost()].flatMap(([column, cells]) =>
        this.#zeros.has(column) ? [] : zerosMissing(headingOf(column), cells),
      ),
      ...[...this.#digitsLost()].map(([column, cells]) => digitsLost(headingOf(column), cells)),
    ]
    const rowsAt = (places: readonly number[]) =>
      warnedRows(
        imported.facts,
        places.filter((place) => !unwritten.has(place)),
      )
    const odd = [
      ...lost,
      ...rowsAt(this.#otherNames).map(otherNames),
      ...rowsAt(this.#otherDates)
        .filter(({ rows }) => rows >= many)
        .map(otherDates),
      ...rowsAt(this.#turnedNames)
        .filter(({ rows }) => rows >= many)
        .map(turnedNames),
      ...rowsAt(this.#unknownIds).map(unknownIds),
      ...rowsAt(this.#commas).map(namesWithCommas),
      ...rowsAt(this.#keptNames).map(fullNamesKept),
      // Where most are so, it is a school of others.
      ...(this.#oddAges.length * 2 <= this.#births ? rowsAt(this.#oddAges).map(oddAges) : []),
      ...(this.#oddNames.length * 2 <= this.#made ? rowsAt(this.#oddNames).map(oddNames) : []),
    ]
    const others = this.#others.filter(({ place }) => !unwritten.has(place))
    const [about] = rowsAt(others.map(({ place }) => place))
    if (about === undefined) return odd
    return [...odd, otherChildren({ ...about, known: await countThere(db, authority, others) })]
  }
}

/** What a warning tells of the rows at some places; nothing where there is none. */
export function warnedRows(
  facts: ImportRow['facts'],
  [first, ...more]: readonly number[],
): readonly WarnedRows[] {
  if (first === undefined) return []
  return [{ row: rowAt(first).row, sheet: sheetNameOf(facts, first), rows: more.length + 1 }]
}

/** How many dates of birth, or turned names, are seldom corrected at once. */
const many = 3

/** What is known of a child's name, to compare it with another: nothing. */
const anyChild = { order: 'given_first', surname: '' } as const

function countIn(counts: Map<string, number>, column: string): void {
  counts.set(column, (counts.get(column) ?? 0) + 1)
}

/** A text that stands, or null where nothing does, and the one that would. */
type TextPair = readonly [was: string | null, is: string]

/** The texts of two cells that differ, item by item where they are lists of one length. */
function textPairs(from: CellValue, to: CellValue): TextPair[] {
  if (Array.isArray(from) && Array.isArray(to))
    return from.length === to.length ? from.flatMap((one, i) => textPairs(one, to[i])) : []
  const isText = typeof to === 'string' && (from === null || typeof from === 'string')
  return isText && from !== to ? [[from, to]] : []
}

/** Whether a number is what stands there, without the zeros or the + at its beginning, however a phone is written. */
function lacksZeros([was, is]: TextPair): boolean {
  if (was === null || !/^\d+$/.test(is)) return false
  const plain = was.replace(/[\s()./-]/g, '')
  return plain !== is && plain.replace(/^\+?0*(?=\d+$)/, '') === is
}

/** Whether it is a number as a spreadsheet shows a long one, `4,91235E+14`: the other digits are gone. */
function isCut(is: unknown): boolean {
  return typeof is === 'string' && /^\d([.,]\d+)?E\+\d{2,3}$/.test(is)
}

/** The cells of a column with a number that is longer than a spreadsheet keeps. */
interface LongNumbers {
  readonly cells: number
  /** Whether all of them have zeros where a spreadsheet has no digits: of some numbers these are their own. */
  readonly areRounded: boolean
}

/** Whether it is a number of more than the fifteen digits that a spreadsheet keeps. */
function isLong(is: unknown): is is string {
  return typeof is === 'string' && /^[1-9]\d{15,}$/.test(is)
}

function isRounded(is: string): boolean {
  return /^0+$/.test(is.slice(15))
}

/** Whether question marks stand where letters did. In a new name, no other sign tells. */
function lacksLetters([was, is]: TextPair, column: string): boolean {
  if (!is.includes('?')) return false
  if (was === null) return column.endsWith('name') && /\p{L}\?|\?\p{L}/u.test(is)
  const [old, now] = [[...was], [...is]]
  return (
    old.length === now.length &&
    now.every((one, i) => one === old[i] || (one === '?' && isBeyondAscii(old[i]!)))
  )
}

function isBeyondAscii(letter: string): boolean {
  return letter > '\u007f'
}
