import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import type { RowReader } from '../cells/row-values.ts'
import type { ImportRow } from '../model.ts'
import { inTurns } from '../slices/in-turns.ts'
import { slicesOf } from '../slices/staged-rows.ts'
import { type Decided, findKnown, type Known, nobody, type ReadRow } from './matching.ts'

/** How many rows are read and planned at once: few, so that they are gone before V8 moves them to what it seldom collects. */
const sliceSize = 100

/** Some rows of an import, and who is known by them. */
interface KnownSlice {
  readonly rows: readonly ReadRow[]
  readonly known: Known
}

/** The rows of an import in their order, read by what was answered. */
export async function* knownSlices(
  db: Db,
  { id, kind }: Pick<ImportRow, 'id' | 'kind'>,
  reader: RowReader,
): AsyncGenerator<KnownSlice, void> {
  const decisions = await decisionsOn(db, id)
  for await (const staged of slicesOf(db, id, sliceSize)) {
    const rows = await inTurns(staged, ({ place, cells }) => {
      return { ...reader.read(place, cells), place, decided: decisions.get(place) }
    })
    const named = rows.flatMap(({ id, decided }) => [id ?? [], decided?.id ?? []].flat())
    const known = kind === 'classes' ? nobody : await findKnown(db, rows, named)
    yield { rows, known }
  }
}

/** All of them: they are few, and most often there is none. */
async function decisionsOn(db: Db, importId: number): Promise<ReadonlyMap<number, Decided>> {
  const query = db
    .selectFrom('import_decisions')
    .select(['place', 'decision', 'record_id as id'])
    .where('import_id', '=', importId)
  const found = await rowsBeside(db, query)
  return new Map(found.map(({ place, decision, id }) => [place, { decision, id } as Decided]))
}
