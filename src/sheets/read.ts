import { setImmediate as turn } from 'node:timers/promises'
import { type EncodingCandidate, markedEncoding } from './reading/encodings.ts'
import { FirstRows, type TextOptions, textRows } from './reading/text-rows.ts'
import { readInThread } from './reading-thread.ts'

/** A file, wherever it is. */
export interface SheetSource {
  /** Its bytes in pieces, from the first on with each call. */
  bytes(): AsyncIterable<Uint8Array>
}

/** A row that is not blank. */
export interface SheetRow {
  /** Its number as a spreadsheet shows it: from 1, blank rows counted. */
  readonly row: number
  /** The texts of its cells; none are left out but empty ones at the end. */
  readonly cells: readonly string[]
  /** The places of cells that a spreadsheet holds as numbers, and shows as they are: leading zeros may be lost. */
  readonly numeric?: readonly number[]
  /** Whether the spreadsheet hides it, by a filter or by hand. */
  readonly hidden?: boolean
}

/** Some rows of a sheet. */
export interface SheetBatch {
  /** The place of the sheet, from 0. */
  readonly sheet: number
  readonly name: string
  readonly hidden: boolean
  readonly rows: readonly SheetRow[]
}

/**
 * How much of a text file is looked at to find its delimiter. A file that has no more is read without a thread: to
 * start one takes longer.
 */
const bytesOfStart = 256 * 1024

/** How much of that is read at once, before others go on. */
const bytesAtOnce = 4 * 1024

/** How many rows are given of its start. */
const firstRowsOfFile = 10

/**
 * Finds the encoding of a text file: what its byte order mark says, or UTF-8 where it is that. Otherwise it is not
 * known: all are given in which the file may be, the likeliest first.
 * @throws SheetRefusal where there is none
 */
export async function encodingsOf(
  source: SheetSource,
): Promise<{ readonly encoding: string } | { readonly candidates: readonly EncodingCandidate[] }> {
  const marked = await markOf(source)
  if (marked !== undefined) return { encoding: marked }
  if (await isUtf8(source)) return { encoding: 'utf-8' }
  return { candidates: await first(readInThread(source.bytes(), 'encodings', {})) }
}

/**
 * The first ten rows of a text file by each delimiter, of those under which it can be read at all. Where its first line
 * is such as `sep=;`, that delimiter is the only one.
 * @throws SheetRefusal
 */
export async function firstRows(
  source: SheetSource,
  { encoding }: { readonly encoding: string },
  delimiters: readonly string[],
): Promise<ReadonlyMap<string, readonly SheetRow[]>> {
  const first = new FirstRows(encoding, delimiters, firstRowsOfFile)
  let read = 0
  for await (const bytes of startOf(source)) {
    await first.add(bytes)
    if (first.isEnough) return first.rows
    read += bytes.length
  }
  const isWhole = read < bytesOfStart
  if (isWhole) await first.end()
  return first.rows
}

/**
 * Reads a text file, some hundred rows at a time: a long one in a thread that ends with the loop. One `'` is taken off
 * cells that it keeps from being run as formulas.
 * @param options `rows`: how many there may be below the header @throws SheetRefusal
 */
export async function* readText(
  source: SheetSource,
  options: TextOptions,
): AsyncGenerator<readonly SheetRow[]> {
  const isShort = await isShorterThan(source, bytesOfStart)
  yield* isShort ? textRows(startOf(source), options) : readInThread(source.bytes(), 'text', options)
}

/**
 * Reads an XLSX file, some hundred rows at a time, sheet by sheet, in a thread that ends with the loop. Of each sheet
 * there is at least one batch. Cells are the values that stand in the file; days are `2015-03-04`.
 * @param options `rows`: how many there may be below the header, of all sheets @throws SheetRefusal
 */
export function readXlsx(
  source: SheetSource,
  options: { readonly rows?: number } = {},
): AsyncGenerator<SheetBatch> {
  return readInThread(source.bytes(), 'workbook', options)
}

async function markOf(source: SheetSource): Promise<string | undefined> {
  let head = new Uint8Array()
  for await (const piece of source.bytes()) {
    head = Uint8Array.from([...head, ...piece.subarray(0, 3)])
    if (head.length >= 3) break
  }
  return markedEncoding(head)
}

async function isUtf8(source: SheetSource): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of source.bytes()) decoder.decode(piece, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return false
    throw error
  }
}

async function isShorterThan(source: SheetSource, most: number): Promise<boolean> {
  let bytes = 0
  for await (const piece of source.bytes()) {
    bytes += piece.length
    if (bytes >= most) return false
  }
  return true
}

/** The start of a file in small parts; between them, others go on. */
async function* startOf(source: SheetSource): AsyncGenerator<Uint8Array> {
  let left = bytesOfStart
  for await (const piece of source.bytes())
    for (let at = 0; at < piece.length; at += bytesAtOnce) {
      if (left <= 0) return
      const bytes = piece.subarray(at, at + Math.min(bytesAtOnce, left))
      left -= bytes.length
      yield bytes
      await turn()
    }
}

async function first<T>(results: AsyncGenerator<T>): Promise<T> {
  const { value } = await results.next()
  await results.return(undefined)
  return value
}
