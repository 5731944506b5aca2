import { type CsvError, type InfoRecord, type Parser, parse } from 'csv-parse'
import { unguarded } from '../formula-guard.ts'
import { checkedCells, limits, type RowLimit } from '../limits.ts'
import type { SheetRow } from '../read.ts'
import { SheetRefusal } from '../refusal.ts'

/** Reads the rows of a text file, piece by piece: any of CR LF, LF and CR ends one, if it is not quoted. */
export class CsvRows {
  readonly #parser: Parser
  readonly #delimiter: string
  readonly #rows: SheetRow[] = []
  readonly #limit: RowLimit
  #row = 0
  /** What was given since the last row ended or a little longer, and how many bytes before it. */
  #bytes: Buffer = Buffer.alloc(0)
  #before = 0
  /** How many bytes the rows have that ended. */
  #ended = 0
  #failure: Error | undefined

  constructor(delimiter: string, limit: RowLimit) {
    this.#delimiter = delimiter
    this.#limit = limit
    this.#parser = parse({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true, // whether they are good is seen by `isWellQuoted`
      on_record: (cells, info) => this.#take(cells as unknown as string[], info),
    })
    this.#parser.on('error', (error) => (this.#failure ??= this.#failureOf(error)))
    this.#parser.resume()
  }

  /** Takes the next text. @returns the rows that end in it @throws SheetRefusal */
  async add(text: string): Promise<SheetRow[]> {
    if (text === '') return []
    const bytes = Buffer.from(text)
    const rest = this.#bytes.subarray(this.#ended - this.#before)
    this.#before = this.#ended
    this.#bytes = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    await new Promise((resolve) => this.#parser.write(bytes, resolve))
    const pending = this.#before + this.#bytes.length - this.#ended
    if (pending > limits.rowBytes) this.#failure ??= rowTooLong(this.#row + 1)
    return this.#taken()
  }

  /** @returns the rows that nothing follows @throws SheetRefusal */
  async end(): Promise<SheetRow[]> {
    await new Promise((resolve) => this.#parser.once('close', resolve).end())
    return this.#taken()
  }

  #taken(): SheetRow[] {
    if (this.#failure !== undefined) throw this.#failure
    return this.#rows.splice(0)
  }

  /** @returns null: the row is not kept by the parser */
  #take(read: string[], { bytes }: InfoRecord): null {
    const row = ++this.#row
    const start = this.#ended
    this.#ended = bytes
    if (read.some((cell) => cell.includes('"'))) {
      const raw = this.#bytes.toString('utf8', start - this.#before, bytes - this.#before)
      if (!isWellQuoted(raw, read, this.#delimiter)) throw invalidQuotes(row)
    }
    const cells = checkedCells(read, { row })
    if (cells.length === 0) return null
    this.#limit.count({ row })
    this.#rows.push({ row, cells: cells.map(unguarded) })
    return null
  }

  #failureOf(error: Error): Error {
    return (error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED' ? notClosed(this.#row + 1) : error
  }
}

/**
 * Whether a row can be read in one way only. A cell is quoted as a whole, with the quotation marks in it doubled; or
 * it does not begin with one, and those in it stand for themselves. The parser takes more, and may join cells then.
 */
function isWellQuoted(raw: string, cells: readonly string[], delimiter: string): boolean {
  let at = 0
  for (const [i, cell] of cells.entries()) {
    const isQuoted = raw[at] === '"'
    if (!isQuoted && /^\s*"/.test(cell)) return false
    const written = isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell
    if (!raw.startsWith(written, at)) return false
    at += written.length
    if (i < cells.length - 1 && !raw.startsWith(delimiter, at)) return false
    at += delimiter.length
  }
  return true
}

function invalidQuotes(row: number): SheetRefusal {
  const rule = 'A cell that begins with one ends with one, and those in it are doubled.'
  return new SheetRefusal('invalid_csv', `The quotation marks in row ${row} do not fit. ${rule}`, { row })
}

function notClosed(row: number): SheetRefusal {
  return new SheetRefusal('invalid_csv', `A quotation mark in row ${row} is not closed.`, { row })
}

function rowTooLong(row: number): SheetRefusal {
  const remedy = 'A quotation mark that is not closed can be why.'
  return new SheetRefusal('row_too_long', `Row ${row} is longer than 1 MiB. ${remedy}`, { row })
}
