import { type RawBuilder, sql } from 'kysely'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'

/** Rows of an import that are read slice by slice. */
interface Ordered {
  readonly table: 'import_rows' | 'import_plan'
  readonly importId: number
  readonly columns: readonly string[]
  /** Which rows; by default, all. */
  readonly met?: RawBuilder<unknown>
  readonly direction?: 'asc' | 'desc'
}

/** The rows in the order of places, so many at a time; each slice is read when it is taken. */
export async function* slicesInOrder<Row extends { readonly place: number }>(
  db: Db,
  ordered: Ordered,
  size: number,
): AsyncGenerator<Row[], void> {
  for (let last = -1; ; ) {
    const rows = await nextRows<Row>(db, ordered, last, size)
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)!.place
  }
}

/** How many ranges are read at the most, where few of their places have a row. */
const mostRanges = 5

/**
 * The next rows in the order of places: those of a range of so many places, and of some more if it has few, else of the
 * next one that has any. Without a range, PostgreSQL sorts all rows that are left for each slice, until it has
 * statistics of them.
 * @param from the place that the last slice ended with
 */
export async function nextRows<Row extends { readonly place: number }>(
  db: Db,
  ordered: Ordered,
  from: number,
  size: number,
): Promise<Row[]> {
  const { columns, direction = 'asc' } = ordered
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const step = direction === 'asc' ? 1 : -1
  const rowsAt = async (first: number) => {
    const last = first + step * (size - 1)
    const [low, high] = [Math.min(first, last), Math.max(first, last)]
    const range = sql`place between ${low} and ${high} order by place ${sql.raw(direction)}`
    return (await sql<Row>`select ${names} ${rowsOf(ordered)} and ${range}`.execute(db)).rows
  }
  const rows: Row[] = []
  for (let range = 0; range < mostRanges && rows.length <= size / mostRanges; range++)
    rows.push(...(await rowsAt(from + step * (1 + range * size))))
  if (rows.length > 0) return rows
  const beyond = direction === 'asc' ? sql`min(place) as place` : sql`max(place) as place`
  const isLeft = direction === 'asc' ? sql`place > ${from}` : sql`place < ${from}`
  const query = sql<{ place: number | null }>`select ${beyond} ${rowsOf(ordered)} and ${isLeft}`
  const [found] = await rowsBeside(db, query)
  const first = found?.place ?? null
  return first === null ? [] : rowsAt(Number(first))
}

function rowsOf({ table, importId, met }: Ordered): RawBuilder<unknown> {
  return sql`from ${sql.table(table)} where import_id = ${importId} and ${met ?? sql`true`}`
}
