import { RowLimit } from '../limits.ts'
import type { SheetBatch } from '../read.ts'
import { contentsOf } from './contents.ts'
import { Package } from './package.ts'
import { type CellFacts, SheetRows } from './sheet-rows.ts'
import { formatsOf } from './styles.ts'
import { sharedTextsOf, Texts } from './texts.ts'
import { XmlReader } from './xml.ts'

/** From how many rows on they are given. */
const rowsOfBatch = 200

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
  }
  for (const [sheet, { name, hidden, part }] of sheets.entries()) {
    const handlers = new SheetRows(facts, name)
    const reader = new XmlReader(handlers)
    const batch = () => ({ sheet, name, hidden, rows: handlers.take() })
    for await (const bytes of parts.read(part)) {
      reader.add(bytes)
      if (handlers.count >= rowsOfBatch) yield batch()
    }
    reader.end()
    yield batch()
  }
}
