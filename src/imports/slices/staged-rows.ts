import { sql } from 'kysely'
import { jsonRows } from '../../db/json-rows.ts'
import type { Db } from '../../db/tables.ts'
import { slicesInOrder } from './in-order.ts'
import { inTurns } from './in-turns.ts'

/** A row of a file, as it is stored. */
export interface StagedRow {
  readonly place: number
  readonly cells: readonly string[]
}

/** How many rows are stored, erased, or searched at once. */
export const rowsAtOnce = 1_000

/** How many are read at once. */
const rowsReadAtOnce = 250

/** How many characters of cells are stored at once, but for a row that has more by itself. */
const charactersAtOnce = 100_000

/** Collects rows into slices that are stored at once. */
export class RowSlice {
  readonly #rows: { readonly place: number; readonly cells: string }[] = []
  #characters = 0

  add({ place, cells }: StagedRow): void {
    const text = JSON.stringify(cells)
    this.#rows.push({ place, cells: text })
    this.#characters += text.length
  }

  get isFull(): boolean {
    return this.#rows.length >= rowsAtOnce || this.#characters >= charactersAtOnce
  }

  /** Stores the rows in one statement. */
  async insert(db: Db, importId: number): Promise<void> {
    await sql`insert into import_rows (import_id, place, cells)
      select cast(${importId} as bigint), place, cells
      from ${jsonRows(db, this.#rows, { place: 'integer', cells: 'text' })}`.execute(db)
  }
}

/** The rows of an import in their order, so many at a time. */
export async function* slicesOf(
  db: Db,
  importId: number,
  size = rowsReadAtOnce,
): AsyncGenerator<StagedRow[]> {
  const staged = { table: 'import_rows', importId, columns: ['place', 'cells'] } as const
  for await (const rows of slicesInOrder<{ place: number; cells: string }>(db, staged, size))
    yield await inTurns(rows, ({ place, cells }) => ({ place, cells: JSON.parse(cells) as string[] }))
}

/** Erases a portion of what a table holds of an import. @returns whether there may be more */
export async function erasePortion(
  db: Db,
  table: 'import_chunks' | 'import_rows' | 'import_plan' | 'import_decisions',
  importId: number,
  atMost: number,
): Promise<boolean> {
  const portion = db.selectFrom(table).select('place').where('import_id', '=', importId).limit(atMost)
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('import_id', '=', importId)
    .where('place', 'in', portion)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
