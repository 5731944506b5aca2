import type { CsvOptions } from './csv.ts'
import { CsvWriter } from './csv.ts'
import { XlsxWriter } from './xlsx.ts'

/** The texts of a row, from left to right; '' is an empty cell. */
export type Row = readonly string[]

/** Writes a file of rows, piece by piece. */
export interface SheetWriter {
  /** Takes the next rows. @returns what is written of the file by then */
  add(rows: readonly Row[]): Promise<Uint8Array>
  /** @returns the rest of the file */
  end(): Promise<Uint8Array>
}

/** What kind of file it is. */
export type SheetFormat = ({ readonly type: 'csv' } & CsvOptions) | { readonly type: 'xlsx' }

/** Begins a file. @param name of its sheet, where it has one; columns: how many there are */
export function openSheet(format: SheetFormat, name: string, columns: number): SheetWriter {
  return format.type === 'csv' ? new CsvWriter(format) : new XlsxWriter(name, columns)
}
