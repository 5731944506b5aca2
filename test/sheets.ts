import { Readable } from 'node:stream'
import { buffer, text as textOf } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { SaxesParser } from 'saxes'
import yauzl from 'yauzl'
import { openSheet, type Row, type SheetFormat, type SheetPiece } from '../src/sheets/sheet.ts'

/** A file of these rows, which are given in pieces of so many. */
export async function writtenSheet(
  format: SheetFormat,
  name: string,
  rows: readonly Row[],
  atOnce = rows.length,
): Promise<Buffer> {
  const sheet = await openSheet(format, name, rows[0]!.length)
  const written: SheetPiece[] = []
  for (let at = 0; at < rows.length; at += atOnce) written.push(await sheet.add(rows.slice(at, at + atOnce)))
  return buffer(Readable.from([...written, await sheet.end()]))
}

/** The rows of a CSV file, as another program reads them; the guard against formulas is taken off where asked. */
export function readCsv(bytes: SheetPiece, { delimiter = ',', isGuarded = true } = {}): string[][] {
  const rows: string[][] = parse(Buffer.from(bytes), { bom: true, delimiter, record_delimiter: '\r\n' })
  return isGuarded ? rows.map((row) => row.map(unguarded)) : rows
}

function unguarded(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

/** The sheets of an XLSX file, by name, as another program reads them; only cells that are texts are taken. */
export async function readXlsx(bytes: Uint8Array): Promise<Map<string, string[][]>> {
  const parts = await partsOf(Buffer.from(bytes))
  const names = [...parts.get('xl/workbook.xml')!.matchAll(/<sheet name="([^"]+)"/g)].map(([, name]) => name!)
  for (const xml of parts.values()) new SaxesParser().write(xml).close() // each part is well formed
  return new Map(names.map((name, i) => [name, rowsOf(parts.get(`xl/worksheets/sheet${i + 1}.xml`)!)]))
}

async function partsOf(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await yauzl.fromBufferPromise(bytes, { strictFileNames: true })
  const parts = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    parts.set(entry.fileName, await textOf(await zip.openReadStreamPromise(entry)))
  }
  return parts
}

function rowsOf(xml: string): string[][] {
  const rows: string[][] = []
  let column = 0
  let isText = false
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'row') rows.push([])
    if (name === 'c') {
      if (attributes.t !== 'inlineStr') throw new Error('a cell is no text')
      column = columnOf(attributes.r!)
      while (rows.at(-1)!.length < column) rows.at(-1)!.push('')
      rows.at(-1)![column] = ''
    }
    isText = name === 't'
  })
  parser.on('text', (text) => {
    if (isText) rows.at(-1)![column] += text
  })
  parser.on('closetag', () => {
    isText = false
  })
  parser.write(xml).close()
  return rows.map((row) => row.map(decoded))
}

function columnOf(reference: string): number {
  const letters = /^[A-Z]+/.exec(reference)![0]
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function decoded(text: string): string {
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}
