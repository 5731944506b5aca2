import { TextDecoder } from 'node:util'
import { RowLimit } from '../limits.ts'
import type { SheetRow } from '../read.ts'
import { SheetRefusal } from '../refusal.ts'
import { CsvRows } from './csv-rows.ts'

/** How a text file is read. `encoding`: a label of the WHATWG Encoding Standard. */
export interface TextOptions {
  readonly encoding: string
  readonly delimiter: string
  /** How many rows there may be below the header; none: any number. */
  readonly rows?: number
}

/** By how many characters it is known whether a file begins with `sep=;`. */
const lengthOfStart = 16

/** Decodes a text file piece by piece. Byte order mark and `sep=;`, which Excel understands, are no part of the text. */
class TextDecoding {
  readonly #decoder: TextDecoder
  #start: string | undefined = ''
  /** What stands behind `sep=`, if that stands in the first line. Known with the first text. */
  separator: string | undefined

  constructor(encoding: string) {
    this.#decoder = new TextDecoder(encoding, { fatal: true })
  }

  /** @throws SheetRefusal where the bytes are no text in this encoding */
  add(bytes: Uint8Array): string {
    return this.#withoutStart(this.#decoded(bytes, true), lengthOfStart)
  }

  end(): string {
    return this.#withoutStart(this.#decoded(new Uint8Array(), false), 0)
  }

  #decoded(bytes: Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream })
    } catch {
      throw invalidEncoding(this.#decoder.encoding)
    }
  }

  #withoutStart(text: string, enough: number): string {
    if (this.#start === undefined) return text
    this.#start += text
    if (this.#start.length < enough) return ''
    const [line = '', separator] = /^"?sep=([^"\r\n])"?(?:\r\n|\r|\n|$)/iu.exec(this.#start) ?? []
    const rest = this.#start.slice(line.length)
    this.separator = separator
    this.#start = undefined
    return rest
  }
}

/** Reads the rows of a text file, piece by piece. */
export class TextRows {
  readonly #text: TextDecoding
  readonly #rows: CsvRows

  constructor({ encoding, delimiter, rows }: TextOptions) {
    this.#text = new TextDecoding(encoding)
    this.#rows = new CsvRows(delimiter, new RowLimit(rows))
  }

  /** @returns the rows that end in these bytes @throws SheetRefusal */
  async add(bytes: Uint8Array): Promise<SheetRow[]> {
    return this.#rows.add(this.#text.add(bytes))
  }

  /** @returns the rows that nothing follows @throws SheetRefusal */
  async end(): Promise<SheetRow[]> {
    const rest = this.#text.end()
    return [...(await this.#rows.add(rest)), ...(await this.#rows.end())]
  }
}

/** How many rows are given at once. */
const rowsOfSlice = 500

/** Reads a text file, some hundred rows at a time. @throws SheetRefusal */
export async function* textRows(
  pieces: AsyncIterable<Uint8Array>,
  options: TextOptions,
): AsyncGenerator<readonly SheetRow[]> {
  const rows = new TextRows(options)
  for await (const piece of pieces) yield* slices(await rows.add(piece))
  yield* slices(await rows.end())
}

function* slices(rows: readonly SheetRow[]): Generator<readonly SheetRow[]> {
  for (let at = 0; at < rows.length; at += rowsOfSlice) yield rows.slice(at, at + rowsOfSlice)
}

/** The first rows of a text file by each delimiter that may be meant. */
export class FirstRows {
  readonly #text: TextDecoding
  readonly #delimiters: readonly string[]
  #readers: Map<string, CsvRows> | undefined
  readonly #rows = new Map<string, SheetRow[]>()
  readonly #most: number
  #refusal: unknown

  /** @param most rows that are read */
  constructor(encoding: string, delimiters: readonly string[], most: number) {
    this.#text = new TextDecoding(encoding)
    this.#delimiters = delimiters
    this.#most = most
  }

  /** Whether all is known that is asked. */
  get isEnough(): boolean {
    return this.#readers?.size === 0
  }

  async add(bytes: Uint8Array): Promise<void> {
    const text = this.#text.add(bytes)
    if (text !== '') await this.#each((reader) => reader.add(text))
  }

  async end(): Promise<void> {
    const rest = this.#text.end()
    await this.#each((reader) => reader.add(rest))
    await this.#each((reader) => reader.end())
  }

  /** @throws SheetRefusal where no delimiter gives rows */
  get rows(): ReadonlyMap<string, readonly SheetRow[]> {
    if (this.#rows.size === 0 && this.#refusal !== undefined) throw this.#refusal
    return this.#rows
  }

  /** Reads on by each delimiter, until its rows are enough, or it gives none. */
  async #each(read: (reader: CsvRows) => Promise<SheetRow[]>): Promise<void> {
    this.#readers ??= this.#begin()
    for (const [delimiter, reader] of this.#readers) {
      try {
        const rows = [...(this.#rows.get(delimiter) ?? []), ...(await read(reader))].slice(0, this.#most)
        this.#rows.set(delimiter, rows)
        if (rows.length === this.#most) this.#readers.delete(delimiter)
      } catch (error) {
        // A row that is too wide under one delimiter is one cell that is too long under the others.
        const isWide = error instanceof SheetRefusal && error.code === 'too_many_columns'
        // By the delimiter that is meant it is read furthest: by others, quoted headings are wrong already.
        if (isWide || this.#refusal === undefined || rowOf(error) > rowOf(this.#refusal))
          this.#refusal = error
        this.#readers.delete(delimiter)
        this.#rows.delete(delimiter)
      }
    }
  }

  #begin(): Map<string, CsvRows> {
    const { separator } = this.#text
    const delimiters = separator === undefined ? this.#delimiters : [separator]
    return new Map(delimiters.map((delimiter) => [delimiter, new CsvRows(delimiter, new RowLimit())]))
  }
}

/** The row at which reading ended; 0: it is not known. */
function rowOf(error: unknown): number {
  return error instanceof SheetRefusal ? (error.params?.row ?? 0) : 0
}

function invalidEncoding(encoding: string): SheetRefusal {
  const remedy = 'Save it as CSV in UTF-8, or as .xlsx, and send the file again.'
  return new SheetRefusal(
    'invalid_encoding',
    `The file holds bytes that are no text in ${encoding}. ${remedy}`,
  )
}
