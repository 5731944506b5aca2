import { sql } from 'kysely'
import type { Authority } from '../../access/authority.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import type { ImportRow } from '../model.ts'

/**
 * The ids of applied imports that changed students after this import had, as far as the reader sees the students. The
 * log is looked into once for each student of this import, and only where others were applied since.
 */
export async function laterImports(
  db: Db,
  { state, change_set_id: changeSet }: ImportRow,
  { authority }: { readonly authority: Authority },
): Promise<number[]> {
  if (state !== 'applied' || changeSet === null) return []
  const applied = await db
    .selectFrom('imports')
    .select(['id', 'change_set_id'])
    .where('state', '=', 'applied')
    .where('kind', '=', 'students')
    .where('change_set_id', '>', changeSet)
    .execute()
  if (applied.length === 0) return []
  const idOf = new Map(applied.map(({ id, change_set_id }) => [change_set_id, id]))
  const scope = authority.scopeOf('students.view')
  const isSeen =
    scope === 'all'
      ? sql`true`
      : sql`exists (select 1 from students where students.id = first.record_id
          and ${isOneOf(db, 'students.class_id', scope ?? [])})`
  // With `+ 0` the index of a student's changes is asked once, not that of the change sets for each of these imports.
  const isOfImport = sql`later.change_set_id + 0 in (${sql.raw([...idOf.keys()].join())})`
  const query = sql<{ change_set_id: number }>`
    select distinct later.change_set_id
    from events as first
    join events as later on later.record_id = first.record_id and later.record = 'student'
    where first.change_set_id = ${changeSet} and first.record = 'student' and ${isSeen} and ${isOfImport}`
  const found = await rowsBeside(db, query)
  return found.map(({ change_set_id: one }) => idOf.get(Number(one))!)
}
