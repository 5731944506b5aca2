import type { Db } from '../../db/tables.ts'
import type { RowReader } from '../cells/row-values.ts'
import type { ImportRow } from '../model.ts'
import { inTurns } from '../slices/in-turns.ts'
import { slicesOf } from '../slices/staged-rows.ts'
import { findKnown, type Known, nobody, type ReadRow } from './matching.ts'
import type { Decided } from './row-plan.ts'

/** How many rows are planned and written at once. */
const sliceSize = 250

/** Some rows of an import, with who is known by them and what was decided on them, by place. */
export interface KnownSlice {
  readonly rows: readonly ReadRow[]
  readonly known: Known
  readonly decisions: ReadonlyMap<number, Decided>
}

/** The rows of an import in their order, read by what was answered. */
export async function* knownSlices(
  db: Db,
  { id, kind }: Pick<ImportRow, 'id' | 'kind'>,
  reader: RowReader,
): AsyncGenerator<KnownSlice, void> {
  for await (const staged of slicesOf(db, id, sliceSize)) {
    const rows = await inTurns(staged, ({ place, cells }) => ({ ...reader.read(place, cells), place }))
    const decisions = await decisionsOn(db, id, rows)
    const known = kind === 'classes' ? nobody : await findKnown(db, rows, idsNamed(rows, decisions))
    yield { rows, known, decisions }
  }
}

async function decisionsOn(
  db: Db,
  importId: number,
  rows: readonly ReadRow[],
): Promise<Map<number, Decided>> {
  const found = await db
    .selectFrom('import_decisions')
    .select(['place', 'decision', 'record_id'])
    .where('import_id', '=', importId)
    .where('place', '>=', rows[0]!.place)
    .where('place', '<=', rows.at(-1)!.place)
    .execute()
  return new Map(
    found.map(({ place, decision, record_id: id }) => [
      place,
      { decision: decision as Decided['decision'], id },
    ]),
  )
}

/** The ids that the rows, and what was decided on them, name. */
function idsNamed(rows: readonly ReadRow[], decisions: ReadonlyMap<number, Decided>): number[] {
  const ofRows = rows.flatMap(({ id }) => id ?? [])
  return [...ofRows, ...[...decisions.values()].flatMap(({ id }) => id ?? [])]
}
