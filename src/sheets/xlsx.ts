import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { lettersOf } from './cell-names.ts'
import type { Row, SheetWriter } from './sheet.ts'
import { otherParts, sheetFoot, sheetHead, sheetPath, textStyle } from './xlsx-parts.ts'

/** How many rows a sheet can have. */
const mostRows = 1_048_576

/** Little is gained by a higher level, and it takes twice the time. */
const compressionLevel = 1

/**
 * Writes XLSX (ECMA-376). Every cell is a text, so that a spreadsheet neither runs it nor takes it for a number or a
 * date. Rows that one sheet cannot hold stand in another, below the same header.
 */
export class XlsxWriter implements SheetWriter {
  readonly #zip = new ZipFile()
  readonly #name: string
  readonly #cellStarts: readonly string[]
  readonly #mostRows: number
  #written: Buffer[] = []
  #header: Row | undefined
  #sheet: PassThrough | undefined
  #sheets = 0
  #rows = 0

  constructor(name: string, columns: number, most = mostRows) {
    this.#name = name
    this.#cellStarts = Array.from({ length: columns }, (_, i) => `<c r="${lettersOf(i)}`)
    this.#mostRows = most
    this.#zip.outputStream.on('data', (bytes: Buffer) => this.#written.push(bytes))
  }

  async add(rows: readonly Row[]): Promise<Uint8Array> {
    this.#header ??= rows[0]
    for (let at = 0; at < rows.length; ) {
      if (this.#sheet === undefined || this.#rows === this.#mostRows) {
        await this.#beginSheet()
        if (this.#sheets > 1) await this.#write([this.#header!])
      }
      const some = rows.slice(at, at + this.#mostRows - this.#rows)
      await this.#write(some)
      at += some.length
    }
    return this.#take()
  }

  async end(): Promise<Uint8Array> {
    if (this.#sheet === undefined) await this.#beginSheet()
    this.#sheet!.end(sheetFoot)
    for (const [path, text] of otherParts(this.#names)) this.#zip.addBuffer(Buffer.from(text), path)
    this.#zip.end()
    await finished(this.#zip.outputStream)
    return this.#take()
  }

  get #names(): string[] {
    return Array.from({ length: this.#sheets }, (_, i) => (i === 0 ? this.#name : `${this.#name} ${i + 1}`))
  }

  async #beginSheet(): Promise<void> {
    this.#sheet?.end(sheetFoot)
    this.#sheet = new PassThrough()
    this.#rows = 0
    this.#zip.addReadStream(this.#sheet, sheetPath(++this.#sheets), { compressionLevel })
    await this.#send(sheetHead(this.#cellStarts.length))
  }

  async #write(rows: readonly Row[]): Promise<void> {
    const first = this.#rows + 1
    this.#rows += rows.length
    await this.#send(rows.map((row, i) => this.#rowOf(row, first + i)).join(''))
  }

  /** Waits until the text is compressed, or as good as. */
  #send(text: string): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#sheet!.write(text, (error) => (error ? reject(error) : resolve())),
    )
  }

  #rowOf(row: Row, number: number): string {
    const cells = row.map((text, i) =>
      text === ''
        ? ''
        : `${this.#cellStarts[i]}${number}" s="${textStyle}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`,
    )
    return `<row r="${number}">${cells.join('')}</row>`
  }

  #take(): Uint8Array {
    const written = Buffer.concat(this.#written)
    this.#written = []
    return written
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of these
const unusual = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|_(?=x[\da-f]{4}_)/gi

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** A text as a cell has it: what XML cannot hold, and what would be read as that, is `_xHHHH_` (ST_Xstring). */
function escaped(text: string): string {
  return text.replace(
    unusual,
    (one) => entities[one] ?? `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )
}
