import { guarded } from './formula-guard.ts'
import type { Row, SheetWriter } from './sheet.ts'

/** What may stand between the cells of a CSV file. */
export const delimiters = [',', ';', '\t', '|'] as const

/** How a CSV file is written. */
export interface CsvOptions {
  readonly delimiter: (typeof delimiters)[number]
  /** Whether it begins with U+FEFF, by which spreadsheets know that it is UTF-8. */
  readonly bom: boolean
}

/** Writes CSV (RFC 4180) in UTF-8. */
export class CsvWriter implements SheetWriter {
  readonly #delimiter: string
  #start: string

  constructor({ delimiter, bom }: CsvOptions) {
    this.#delimiter = delimiter
    this.#start = bom ? '\uFEFF' : ''
  }

  async add(rows: readonly Row[]): Promise<string> {
    const lines = rows.map((row) => this.#lineOf(row))
    const text = `${this.#start}${lines.join('')}`
    this.#start = ''
    return text
  }

  async end(): Promise<string> {
    return this.#start
  }

  /** An empty line would be no row to those who read it. */
  #lineOf(row: Row): string {
    let line = ''
    for (let i = 0; i < row.length; i++) {
      const cell = row[i]!
      if (i > 0) line += this.#delimiter
      line += isPlain(cell) ? cell : quoted(guarded(cell))
    }
    return `${line === '' ? '""' : line}\r\n`
  }
}

/** Whether a text stands in a file as it is, as most do. */
function isPlain(text: string): boolean {
  return !/[",;|\t\r\n]|^['=+\-@]/.test(text)
}

function quoted(text: string): string {
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
