import type { CsvOptions } from './csv.ts'
import { CsvWriter } from './csv.ts'

/** The texts of a row, from left to right; '' is an empty cell. */
export type Row = readonly string[]

/**
 * A piece of a file; a text stands in it as UTF-8. CSV is text, which V8 collects soon: of bytes that cross threads it
 * holds megabytes.
 */
export type SheetPiece = string | Uint8Array

/** Writes a file of rows, piece by piece. */
export interface SheetWriter {
  /** Takes the next rows. @returns what is written of the file by then */
  add(rows: readonly Row[]): Promise<SheetPiece>
  /** @returns the rest of the file */
  end(): Promise<SheetPiece>
}

/** What kind of file it is. */
export type SheetFormat = ({ readonly type: 'csv' } & CsvOptions) | { readonly type: 'xlsx' }

/** Begins a file. @param name of its sheet, where it has one; columns: how many there are */
export async function openSheet(format: SheetFormat, name: string, columns: number): Promise<SheetWriter> {
  if (format.type === 'csv') return new CsvWriter(format)
  const { XlsxWriter } = await import('./xlsx.ts') // loaded where it is used
  return new XlsxWriter(name, columns)
}
