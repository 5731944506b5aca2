import { type RawBuilder, sql } from 'kysely'
import type { Authority } from '../../access/authority.ts'
import type { Scope } from '../../access/scope.ts'
import { engineOf } from '../../db/engine.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import type { Db } from '../../db/tables.ts'
import { findFields } from '../../fields/queries.ts'
import { sensitiveMembers } from '../../students/details.ts'
import type { ImportRow } from '../model.ts'

/* Conditions on the rows of a plan. */

/**
 * The record that a row matches, or has made: that stands in the log, at the row's place. It is no join: where PostgreSQL
 * takes the log for small, it would read all of it for each row.
 */
export const recordOfRow = sql<number | null>`coalesce(import_plan.record_id, (
  select events.record_id from events where events.place = import_plan.place and import_plan.place >= 0
    and events.change_set_id = (select change_set_id from imports where imports.id = import_plan.import_id)))`

/**
 * Rows whose students were changed since the import wrote them. What stands in the log is looked into once for each
 * student whom it wrote: with `+ 0` by the index of the student's changes, not by that of all later ones.
 */
export function isChangedSince({ state, change_set_id: changeSet }: ImportRow): RawBuilder<boolean> {
  if (state !== 'applied' || changeSet === null) return sql`false`
  return sql`import_plan.place in (select written.place from events as written
    where written.change_set_id = ${changeSet} and written.record = 'student' and exists (
      select 1 from events as later where later.record_id = written.record_id and later.record = 'student'
        and later.change_set_id + 0 > ${changeSet}))`
}

/**
 * Rows of which something is told in a column. In JSON every quotation mark inside a text is escaped, so these are
 * found in no value.
 */
export function tellsOf(db: Db, column: string): RawBuilder<boolean> {
  const changed = `${JSON.stringify(column === 'class' ? 'class_id' : column)}:[`
  return contain(db, changed, `"column":${JSON.stringify(column)}`)
}

function contain(db: Db, inChanges: string, inCells: string): RawBuilder<boolean> {
  const position = sql.raw(engineOf(db) === 'postgres' ? 'strpos' : 'instr')
  return sql`(coalesce(${position}(changes, ${inChanges}), 0) > 0
    or coalesce(${position}(cells, ${inCells}), 0) > 0)`
}

/** Rows of students of which a reader may see every cell: see `sightFor`. */
export async function seenWholly(
  db: Db,
  { makes }: Pick<ImportRow, 'makes'>,
  authority: Authority,
): Promise<RawBuilder<boolean>> {
  const [views, sensitive] = [authority.scopeOf('students.view'), authority.scopeOf('students.sensitive')]
  if (sensitive === 'all') return ofClassesIn(db, views)
  const fields = [...(await findFields(db)), ...(makes?.fields ?? [])].filter((field) => field.sensitive)
  const columns = [...sensitiveMembers, ...fields.map(({ key }) => `fields.${key}`)]
  const tells = [
    ...columns.map((column) => tellsOf(db, column)),
    contain(db, '"guardian_', '"column":"guardian_'),
    contain(db, '"row":[', '"column":"row","to":'), // it may be anything
  ]
  return sql`(${ofClassesIn(db, views)} and (not (${sql.join(tells, sql` or `)})
    or (${isOfClass} and ${ofClassesIn(db, sensitive)})))`
}

/** Where neither the class that a row names nor the one that its student is in is another. */
export function ofClassesIn(db: Db, scope: Scope | undefined): RawBuilder<boolean> {
  if (scope === 'all') return sql`true`
  const ids = scope ?? []
  return sql`((import_plan.class_id is null or ${isOneOf(db, 'import_plan.class_id', ids)})
    and not exists (select students.id from students
      where students.id = ${recordOfRow} and not (${isOneOf(db, 'students.class_id', ids)})))`
}

const isOfClass: RawBuilder<boolean> = sql`(import_plan.class_id is not null
  or exists (select students.id from students where students.id = ${recordOfRow}))`
