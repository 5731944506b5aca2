/**
 * Why a file is not read:
 * - `empty_file`: it holds nothing
 * - `encrypted_file`: it has a password
 * - `old_excel_file`: a spreadsheet of Excel 97 to 2003 (.xls)
 * - `binary_workbook`: a binary spreadsheet (.xlsb)
 * - `open_document`: a spreadsheet of LibreOffice's own (.ods)
 * - `not_a_table`: another kind of file: a picture, a PDF, a web page, a document …
 * - `damaged_file`: it claims to be a spreadsheet or a text, and is not whole
 * - `doctype`: its XML declares a document type, by which a file can make a reader do things
 * - `external_links`: it takes values from other files
 * - `formula_without_value`: a formula that was never calculated
 * - `too_large`: it holds more than is read, or is packed tighter than any spreadsheet
 * - `too_many_rows`, `too_many_columns`, `cell_too_long`, `too_many_marks`, `row_too_long`: see `limits.ts`
 * - `invalid_csv`: quotation marks that can be read in two ways
 * - `invalid_encoding`: bytes that are no text in the encoding that was given
 */
export const sheetRefusalCodes = [
  'empty_file',
  'encrypted_file',
  'old_excel_file',
  'binary_workbook',
  'open_document',
  'not_a_table',
  'damaged_file',
  'doctype',
  'external_links',
  'formula_without_value',
  'too_large',
  'too_many_rows',
  'too_many_columns',
  'cell_too_long',
  'too_many_marks',
  'row_too_long',
  'invalid_csv',
  'invalid_encoding',
] as const

export type SheetRefusalCode = (typeof sheetRefusalCodes)[number]

/** What the sentence on a file depends on, so that a client can translate it: a place in the file, and a limit. */
export interface RefusalParams {
  /** The number of a row, from 1, and the name of its sheet, where that is known. */
  readonly row?: number
  readonly sheet?: string
  /** Where one cell is meant: its name, such as `C5`. */
  readonly cell?: string
  /** The most that there may be. */
  readonly limit?: number
}

/** A file that is not read. `detail` says why, and what to do, and holds nothing that stands in the file. */
export class SheetRefusal extends Error {
  readonly code: SheetRefusalCode
  readonly detail: string
  readonly params: RefusalParams | undefined

  constructor(code: SheetRefusalCode, detail: string, params?: RefusalParams) {
    super(detail)
    this.name = 'SheetRefusal'
    this.code = code
    this.detail = detail
    this.params = params
  }
}

/** What is said of files that are not what they claim to be. */
export function damaged(): SheetRefusal {
  const remedy = 'Open it in a spreadsheet, and save it anew as .xlsx.'
  return new SheetRefusal('damaged_file', `The file is not whole, or not written as XLSX is. ${remedy}`)
}

/** What is said of files that hold more than is read. */
export function tooLarge(): SheetRefusal {
  const remedy = 'Save the rows alone, as CSV.'
  return new SheetRefusal('too_large', `The file holds too much, or is packed too tightly. ${remedy}`)
}
