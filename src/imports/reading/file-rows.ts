import { formatOf } from '../../sheets/format.ts'
import { readText, readXlsx, type SheetRow, type SheetSource } from '../../sheets/read.ts'
import type { Columns } from '../columns/columns.ts'
import type { FileFacts, ImportRow, Question } from '../model.ts'
import { OneBehind } from '../slices/one-behind.ts'
import { erasePortion, RowSlice, rowsAtOnce, type StagedRow } from '../slices/staged-rows.ts'
import { stagedFile } from '../staging.ts'
import { note } from '../states.ts'
import type { StepWork } from '../steps.ts'
import { textReading } from './file-text.ts'
import { type Headers, type SheetPart, SheetReading } from './sheet-reading.ts'

/** How many rows a file may have that comes over HTTP. */
export const mostRows = 200_000

/** What was read, but for what is decided afterwards. */
type RowsRead = Pick<FileFacts, 'encoding' | 'delimiter' | 'sheets' | 'numeric' | 'mixed'> & {
  readonly format: 'csv' | 'xlsx'
  /** Undefined: no sheet has a header that is known. */
  readonly header: readonly string[] | undefined
}

/**
 * Stores the rows of an import's file, in place of those that an earlier try has left.
 * @throws SheetRefusal
 */
export async function readFile(
  imported: ImportRow,
  columns: Columns,
  work: StepWork,
): Promise<RowsRead | { readonly question: Question }> {
  const { id, command, settings } = imported
  while (await work.write((tx) => erasePortion(tx, 'import_rows', id, rowsAtOnce)));
  const source = stagedFile(work.db, imported)
  const format = formatOf(await headOf(source)) === 'xlsx' ? 'xlsx' : 'csv'
  await work.write((tx) => note(tx, id, { file_format: format }))
  const limit = command === null ? { rows: mostRows } : {}
  if (format === 'xlsx')
    return {
      format,
      encoding: null,
      delimiter: null,
      ...withAllColumns(await store(id, readXlsx(source, limit), columns, work)),
    }
  const reading = await textReading(source, settings, columns)
  if ('question' in reading) return reading
  const rows = readText(source, { ...reading, ...limit })
  return { format, ...reading, ...(await store(id, partsOf(rows), columns, work)) }
}

async function headOf(source: SheetSource): Promise<Uint8Array> {
  for await (const piece of source.bytes()) return piece
  return new Uint8Array()
}

async function* partsOf(rows: AsyncIterable<readonly SheetRow[]>): AsyncGenerator<SheetPart> {
  for await (const some of rows) yield { sheet: 0, name: null, hidden: false, rows: some }
}

type StoredRows = Pick<RowsRead, 'header' | 'sheets' | 'numeric' | 'mixed'> & {
  /** How many columns have a cell that holds anything. */
  readonly width: number
}

/** A spreadsheet may have columns without a heading. A row of text that is longer than the header is refused instead. */
function withAllColumns({ width, header, ...stored }: StoredRows): Omit<StoredRows, 'width'> {
  const lacking = Math.max(0, width - (header?.length ?? width))
  return { ...stored, header: header && [...header, ...Array<string>(lacking).fill('')] }
}

async function store(
  importId: number,
  parts: AsyncIterable<SheetPart>,
  columns: Columns,
  work: StepWork,
): Promise<StoredRows> {
  const headers: Headers = { header: undefined, numeric: new Set(), texts: new Set() }
  const sheets: SheetReading[] = []
  let slice = new RowSlice()
  let [done, width] = [0, 0]
  await using storing = new OneBehind()
  const storeSlice = async () => {
    const [full, rows] = [slice, done]
    slice = new RowSlice()
    await storing.begin(() => work.write((tx) => full.insert(tx, importId), rows))
    await work.beat(done)
  }
  const keep = async (rows: readonly StagedRow[]) => {
    for (const row of rows) {
      width = Math.max(width, row.cells.findLastIndex((cell) => cell.trim() !== '') + 1)
      slice.add(row)
      done++
      if (slice.isFull) await storeSlice()
    }
  }
  for await (const { rows, ...part } of parts) {
    if (sheets.at(-1)?.sheet !== part.sheet) {
      await keep(sheets.at(-1)?.end() ?? [])
      sheets.push(new SheetReading(part, columns, headers))
    }
    await keep(sheets.at(-1)!.add(rows))
  }
  await keep(sheets.at(-1)?.end() ?? [])
  await storeSlice()
  await storing.end()
  const { header, texts } = headers
  const numeric = [...headers.numeric].sort((a, b) => a - b)
  return {
    width,
    header,
    sheets: sheets.map(({ facts }) => facts),
    numeric,
    mixed: numeric.filter((at) => texts.has(at)),
  }
}
