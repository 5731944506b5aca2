import { RowLimit } from '../limits.ts'
import type { SheetBatch, SheetRow } from '../read.ts'
import { contentsOf } from './contents.ts'
import { Package } from './package.ts'
import { type CellFacts, SheetRows } from './sheet-rows.ts'
import { formatsOf } from './styles.ts'
import { sharedTextsOf, Texts } from './texts.ts'
import { XmlReader } from './xml.ts'

/** From how many rows on they are given, and from how many characters on those after them are given apart. */
const rowsOfBatch = 200
const charactersOfBatch = 1_000_000

/**
 * Reads the sheets of a workbook (ECMA-376), one after another; of each at least one batch.
 * @param rows how many there may be below the header @throws SheetRefusal
 */
export async function* readWorkbook(file: Buffer, rows?: number): AsyncGenerator<SheetBatch> {
  const parts = await Package.open(file)
  const { sheets, sharedTexts, styles, is1904 } = await contentsOf(parts)
  const facts: CellFacts = {
    sharedTexts: sharedTexts === undefined ? new Texts() : await sharedTextsOf(parts.read(sharedTexts)),
    formats: styles === undefined ? [] : await formatsOf(parts.read(styles)),
    is1904,
    limit: new RowLimit(rows),
    characters: 0,
  }
  for (const [sheet, { name, hidden, part }] of sheets.entries()) {
    const handlers = new SheetRows(facts, name)
    const reader = new XmlReader(handlers)
    const batches = () => parted(handlers.take()).map((rows) => ({ sheet, name, hidden, rows }))
    for await (const bytes of parts.read(part)) {
      reader.add(bytes)
      if (handlers.count >= rowsOfBatch) yield* batches()
    }
    reader.end()
    yield* batches()
  }
}

/** Parts rows that have many characters, so that none of the parts takes long to send on; no rows are one part. */
function parted(rows: readonly SheetRow[]): SheetRow[][] {
  const parts: SheetRow[][] = [[]]
  let characters = 0
  for (const row of rows) {
    if (characters >= charactersOfBatch) {
      parts.push([])
      characters = 0
    }
    parts.at(-1)!.push(row)
    for (const cell of row.cells) characters += cell.length
  }
  return parts
}
