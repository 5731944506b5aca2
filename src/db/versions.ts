import { sql, type Updateable } from 'kysely'
import type { Db, Instant, Tables } from './tables.ts'

/** The tables whose rows count their changes. */
type VersionedTable =
  | 'users'
  | 'roles'
  | 'classes'
  | 'fields'
  | 'field_changes'
  | 'named_lists'
  | 'import_mappings'

type Columns<Table extends VersionedTable> = Omit<Updateable<Tables[Table]>, 'id' | 'version' | 'updated_at'>

/** Gives columns of a row other values, as its next version. */
export async function updateRow<Table extends VersionedTable>(
  db: Db,
  table: Table,
  id: number,
  columns: Columns<Table>,
  now: Instant,
): Promise<void> {
  const versioned = { ...columns, updated_at: now, version: sql<number>`version + 1` }
  await db
    .updateTable(table as VersionedTable)
    .set(versioned)
    .where('id', '=', id)
    .execute()
}
