import { columnOf, lettersOf } from '../cell-names.ts'
import { isErrorText, unknownError } from '../error-texts.ts'
import { checkedCells, limits, type RowLimit } from '../limits.ts'
import type { SheetRow } from '../read.ts'
import { damaged, SheetRefusal, tooLarge } from '../refusal.ts'
import { type NumberFormat, plainNumber } from './number-formats.ts'
import { TextReader, type Texts, unescaped } from './texts.ts'
import type { Attributes, XmlHandlers } from './xml.ts'

/** What the cells of all sheets refer to. */
export interface CellFacts {
  readonly sharedTexts: Texts
  readonly formats: readonly NumberFormat[]
  readonly is1904: boolean
  readonly limit: RowLimit
  /** How many characters the cells have by now. */
  characters: number
}

/** A cell as it is read. */
interface OpenCell {
  readonly column: number
  readonly type: string
  readonly style: number
  hasFormula: boolean
  hasValue: boolean
  value: string
}

/** Reads the rows of a sheet (CT_Worksheet). */
export class SheetRows implements XmlHandlers {
  readonly #facts: CellFacts
  /** Its name, for sentences. */
  readonly #sheet: string
  readonly #text = new TextReader()
  #rows: SheetRow[] = []
  #row = 0
  #isHidden = false
  #isValue = false
  #cell: OpenCell | undefined
  #column = -1
  #cells: string[] = []
  #numeric: number[] = []

  constructor(facts: CellFacts, sheet: string) {
    this.#facts = facts
    this.#sheet = sheet.slice(0, 100).toWellFormed() // no program takes longer ones
  }

  /** @returns the rows that ended since the last call */
  take(): SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  /** How many rows can be taken. */
  get count(): number {
    return this.#rows.length
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'row') this.#openRow(attributes)
    else if (name === 'c') this.#openCell(attributes)
    else if (this.#cell === undefined) return
    else if (name === 'v') this.#isValue = this.#cell.hasValue = true
    else if (name === 'f') this.#cell.hasFormula = true
    else this.#text.open(name)
  }

  text(text: string): void {
    if (this.#isValue) this.#cell!.value += text
    else if (this.#cell !== undefined) this.#text.add(text)
  }

  close(name: string): void {
    if (name === 'row') this.#closeRow()
    else if (name === 'c') this.#closeCell()
    else if (name === 'v') this.#isValue = false
    else this.#text.close(name)
  }

  #openRow({ r, hidden }: Attributes): void {
    const row = r === undefined ? this.#row + 1 : Number(r)
    if (!Number.isInteger(row) || row <= this.#row) throw damaged()
    this.#row = row
    this.#isHidden = hidden === '1' || hidden === 'true'
    this.#column = -1
    this.#cells = []
    this.#numeric = []
  }

  #openCell({ r, t = 'n', s = '0' }: Attributes): void {
    const column = r === undefined ? this.#column + 1 : (columnOf(r) ?? -1)
    if (this.#row === 0 || this.#cell !== undefined || column <= this.#column) throw damaged()
    this.#column = column
    this.#cell = { column, type: t, style: Number(s), hasFormula: false, hasValue: false, value: '' }
  }

  #closeCell(): void {
    const cell = this.#cell
    if (cell === undefined) throw damaged()
    if (cell.hasFormula && !cell.hasValue && !isTextType(cell.type)) throw this.#withoutValue(cell)
    this.#cell = undefined
    const text = this.#textOf(cell)
    if (text === '') return
    this.#facts.characters += text.length
    if (this.#facts.characters > limits.characters) throw tooLarge()
    if (cell.column >= limits.columns) throw this.#tooManyColumns(cell)
    while (this.#cells.length < cell.column) this.#cells.push('')
    this.#cells.push(text)
  }

  #closeRow(): void {
    const at = { row: this.#row, sheet: this.#sheet }
    const cells = checkedCells(this.#cells, at)
    if (cells.length === 0) return
    this.#facts.limit.count(at)
    this.#rows.push({
      row: this.#row,
      cells,
      ...(this.#numeric.length > 0 && { numeric: this.#numeric }),
      ...(this.#isHidden && { hidden: true }),
    })
  }

  #textOf({ type, value, style, column }: OpenCell): string {
    const inline = this.#text.take()
    if (type === 'inlineStr') return inline
    if (type === 's') return this.#sharedText(value)
    if (type === 'b') return value === '' ? '' : value === '1' || value === 'true' ? 'TRUE' : 'FALSE'
    if (type === 'd') return value.replace(/T00:00(:00(\.0+)?)?Z?$/, '')
    if (type === 'str') return unescaped(value)
    if (value === '') return ''
    if (type === 'e') return isErrorText(value) ? value.trim() : unknownError
    const { text, isPlain } = (this.#facts.formats[style] ?? plainNumber)(value, this.#facts.is1904)
    if (isPlain) this.#numeric.push(column)
    return text
  }

  #sharedText(value: string): string {
    if (value === '') return ''
    const text = this.#facts.sharedTexts.at(Number(value))
    if (text === undefined) throw damaged()
    return text
  }

  #withoutValue({ column }: OpenCell): SheetRefusal {
    const [row, sheet] = [this.#row, this.#sheet]
    const cell = `${lettersOf(column)}${row}`
    const remedy = 'Open the file in a spreadsheet, save it, and send that.'
    const detail = `The formula in ${cell} of the sheet "${sheet}" was never calculated. ${remedy}`
    return new SheetRefusal('formula_without_value', detail, { row, sheet, cell })
  }

  #tooManyColumns({ column }: OpenCell): SheetRefusal {
    const [row, sheet, limit] = [this.#row, this.#sheet, limits.columns]
    const letters = lettersOf(column)
    const detail = `There is a value in column ${letters} of row ${row}. A file can have ${limit} columns.`
    return new SheetRefusal('too_many_columns', detail, { row, sheet, cell: `${letters}${row}`, limit })
  }
}

/** Whether a cell of this type holds a text of its own: without one it is empty. */
function isTextType(type: string): boolean {
  return type === 'str' || type === 'inlineStr'
}
