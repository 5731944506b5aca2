import { SheetRefusal } from './refusal.ts'

/** How much is read of a file. */
export const limits = {
  /** UTF-16 code units that are read of the name of a sheet: Excel takes 31, and no class has a label of so many. */
  sheetName: 250,
  /** Columns of a row: more than an export has, with identifiers of 200 systems, and than its refused rows. */
  columns: 400,
  /** Characters (UTF-16 code units) of a cell: one more than a spreadsheet takes. */
  cellLength: 32_768,
  /**
   * Combining marks in a row: more are no writing, and the time to normalise them grows with their square (UAX #15 §13,
   * Stream-Safe Text Format).
   */
  marks: 30,
  /** Bytes of a row of a text file; of an XLSX file, of what stands between two tags. */
  rowBytes: 2 ** 20,
  /** The number of a row, with blank ones: a little less than places have room for. */
  rowNumber: 2_000_000,
  /** Bytes of an XLSX file unpacked, and how many times what they were packed. */
  unpackedBytes: 200_000_000,
  unpackedTimes: 100,
  /** A part of an XLSX file may be packed tighter than that if it has no more bytes than this. */
  smallPartBytes: 2 ** 20,
  /** Parts of an XLSX file. */
  parts: 10_000,
  /** Styles of cells, and number formats: as many as Excel has. */
  styles: 65_536,
  /** What the shared texts of an XLSX file take in memory, in bytes. */
  sharedTextBytes: 80_000_000,
  /** Characters of all its cells: a shared text counts wherever it stands. */
  characters: 100_000_000,
} as const

/** Counts the rows of a file that are not blank. */
export class RowLimit {
  readonly #most: number | undefined
  #count = 0

  /** @param most rows below the header; none: as many as there are */
  constructor(most?: number) {
    this.#most = most
  }

  /** @throws SheetRefusal where it is one too many */
  count(at: RowPlace): void {
    this.#count++
    if (at.row <= limits.rowNumber && (this.#most === undefined || this.#count <= this.#most + 1)) return
    throw at.row > limits.rowNumber ? tooFarDown(at) : tooMany(this.#most!)
  }
}

/** A row by its number, and in a workbook the name of its sheet. */
interface RowPlace {
  readonly row: number
  readonly sheet?: string
}

/** A row in a sentence: `row 3 of the sheet "7b"`. */
export function rowInWords(row: number, sheet: string | undefined): string {
  return sheet === undefined ? `row ${row}` : `row ${row} of the sheet "${sheet}"`
}

function tooFarDown(at: RowPlace): SheetRefusal {
  const limit = limits.rowNumber
  const remedy = 'Take out the blank rows above it, or split the file.'
  const detail = `There is a value in ${rowInWords(at.row, at.sheet)}. The last row that a file can have is ${limit}. ${remedy}`
  return new SheetRefusal('too_many_rows', detail, { ...at, limit })
}

function tooMany(limit: number): SheetRefusal {
  const detail = `The file has more than ${limit} rows. Split it into files of that many at most.`
  return new SheetRefusal('too_many_rows', detail, { limit })
}

/**
 * The cells of a row without the empty ones at its end.
 * @throws SheetRefusal where there are too many cells, or one is too long or no text
 */
export function checkedCells(cells: string[], at: RowPlace): string[] {
  let length = cells.length
  while (length > 0 && cells[length - 1] === '') length--
  if (length > limits.columns) {
    throw new SheetRefusal(
      'too_many_columns',
      `There are ${length} columns in ${rowInWords(at.row, at.sheet)}. A file can have ${limits.columns}.`,
      { ...at, limit: limits.columns },
    )
  }
  cells.length = length
  if (cells.some((cell) => cell.length > limits.cellLength)) {
    throw new SheetRefusal(
      'cell_too_long',
      `A cell in ${rowInWords(at.row, at.sheet)} has more than ${limits.cellLength} characters. A quotation mark that is not closed can be why.`,
      { ...at, limit: limits.cellLength },
    )
  }
  if (cells.some((cell) => cell.length > limits.marks && tooManyMarks.test(cell))) {
    throw new SheetRefusal(
      'too_many_marks',
      `A cell in ${rowInWords(at.row, at.sheet)} has more than ${limits.marks} combining marks on one letter, as no writing has. Take them out.`,
      { ...at, limit: limits.marks },
    )
  }
  return cells
}

const tooManyMarks = new RegExp(`\\p{M}{${limits.marks + 1}}`, 'u')
