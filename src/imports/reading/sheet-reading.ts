import { placeOf } from '../../events/import-note.ts'
import type { SheetRow } from '../../sheets/read.ts'
import type { Columns } from '../columns/columns.ts'
import { findHeader, rowsForHeader } from '../columns/header.ts'
import { isSameHeader } from '../columns/headings.ts'
import { type Meaning, Meanings } from '../columns/meanings.ts'
import type { FileSheet } from '../model.ts'
import type { StagedRow } from '../slices/staged-rows.ts'

/** What is known of the header and the columns of a file, as its sheets are read one after another. */
export interface Headers {
  /** The first header that was found. */
  header: readonly string[] | undefined
  /** Places of columns in which a spreadsheet holds numbers. */
  readonly numeric: Set<number>
  /** The same of all else. */
  readonly texts: Set<number>
}

/** Some rows of a sheet; a text file has one, without a name. */
export interface SheetPart {
  /** Its place, from 0. */
  readonly sheet: number
  readonly name: string | null
  readonly hidden: boolean
  readonly rows: readonly SheetRow[]
}

/** Takes the rows of one sheet, finds its header, and gives the rows below it. */
export class SheetReading {
  readonly #sheet: number
  readonly #facts: FileSheet
  readonly #columns: Columns
  readonly #headers: Headers
  /** Rows in which the header may be; undefined once that is decided. */
  #first: SheetRow[] | undefined = []
  #last = 0
  /** Its own, which may be written in another way than the first of the file. */
  #header: readonly string[] = []
  /** Its headings, and whether each tells who a row is of. */
  #headings: ReadonlyMap<string, boolean> = new Map()
  /** Whether the rows are those of another table, which stands below. */
  #isElsewhere = false

  constructor({ sheet, name, hidden }: Omit<SheetPart, 'rows'>, columns: Columns, headers: Headers) {
    this.#sheet = sheet
    this.#facts = { name, hidden, header_row: null, rows: 0, blank_rows: 0, hidden_rows: 0 }
    this.#columns = columns
    this.#headers = headers
  }

  get sheet(): number {
    return this.#sheet
  }

  /** @returns the rows below the header, as far as they are known by now */
  add(rows: readonly SheetRow[]): StagedRow[] {
    if (this.#first === undefined) return this.#take(rows)
    this.#first.push(...rows)
    return this.#first.length < rowsForHeader ? [] : this.#decide()
  }

  /** @returns the rest of the rows */
  end(): StagedRow[] {
    return this.#first === undefined ? [] : this.#decide()
  }

  /** What is known of the sheet once it has ended. */
  get facts(): FileSheet {
    return this.#facts
  }

  /** Takes the row in which the most cells are known names as the header, if it is the one of the file. */
  #decide(): StagedRow[] {
    const rows = this.#first!
    this.#first = undefined
    const found = findHeader(rows, this.#columns)
    if (found === undefined) return this.#leaveOut(rows)
    const { row, cells } = rows[found.at]!
    this.#headers.header ??= cells
    if (!isSameHeader(cells, this.#headers.header)) return this.#leaveOut(rows)
    this.#facts.header_row = row
    this.#header = cells
    const meanings = new Meanings(this.#columns)
    this.#headings = new Map(cells.map((cell) => [cell.trim(), isTelling(meanings.of(cell))]))
    this.#last = row
    return this.#take(rows.slice(found.at + 1))
  }

  #leaveOut({ length }: readonly Pick<SheetRow, 'cells'>[]): StagedRow[] {
    this.#facts.rows_left_out = (this.#facts.rows_left_out ?? 0) + length
    return []
  }

  /** Whether most of a row are headings of this table: so it is the header of another one, whose columns are others. */
  #isOtherHeader(cells: readonly string[]): boolean {
    let [known, unknown, telling] = [0, 0, false]
    for (const cell of cells) {
      if (cell === '') continue
      const tells = this.#headings.get(cell)
      if (tells === undefined) unknown++
      else known++
      telling ||= tells === true
      if (unknown * 2 >= cells.length) return false // as most rows end
    }
    return telling && known > 1 && known > unknown
  }

  #take(rows: readonly SheetRow[]): StagedRow[] {
    if (this.#facts.header_row === null) return this.#leaveOut(rows)
    const taken: StagedRow[] = []
    for (const { row, cells, numeric = [], hidden = false } of rows) {
      this.#facts.blank_rows += row - this.#last - 1
      this.#last = row
      if (areSameCells(cells, this.#header)) {
        this.#facts.repeated_headers = (this.#facts.repeated_headers ?? 0) + 1
        this.#isElsewhere = false
        continue
      }
      if (this.#isOtherHeader(cells)) {
        this.#facts.other_table_row ??= row
        this.#isElsewhere = true
      }
      if (this.#isElsewhere) {
        this.#leaveOut([{ cells }])
        continue
      }
      this.#facts.rows++
      this.#facts.hidden_rows += hidden ? 1 : 0
      taken.push({ place: placeOf(this.#sheet, row), cells })
      for (const column of numeric) this.#headers.numeric.add(column)
      for (let at = 0; at < cells.length; at++)
        if (cells[at] !== '' && !numeric.includes(at)) this.#headers.texts.add(at)
    }
    return taken
  }
}

const telling = ['name', 'given_name', 'family_name', 'admission_number', 'class']

/** Whether a heading is of what tells one row from the next: a mark in a column may repeat any other one. */
function isTelling(meaning: Meaning | undefined): boolean {
  if (meaning === undefined || 'guardian' in meaning) return false
  return 'name' in meaning || telling.includes(meaning.column)
}

/** Whether two rows hold the same; a cell that is not there is empty. */
function areSameCells(one: readonly string[], other: readonly string[]): boolean {
  for (let at = 0; at < one.length || at < other.length; at++)
    if ((one[at] ?? '').trim() !== (other[at] ?? '').trim()) return false
  return true
}
