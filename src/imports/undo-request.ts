import { sql } from 'kysely'
import type { Authority } from '../access/authority.ts'
import { instantAfter } from '../access/clock.ts'
import { permissionDenied, permissionDeniedForAll } from '../access/denials.ts'
import type { Permission } from '../access/permissions.ts'
import { isInScope } from '../access/scope.ts'
import { undoableDays } from '../audit/undo.ts'
import { engineOf } from '../db/engine.ts'
import { rowsBeside } from '../db/read-beside.ts'
import type { Db } from '../db/tables.ts'
import { type Author, write } from '../events/write.ts'
import { checkSeesNoMore } from '../students/changes.ts'
import { changedBy, changedMeanwhile } from './apply-request.ts'
import { authorityOf } from './basis.ts'
import { importState, moveOn } from './import-state.ts'
import type { ImportRow } from './model.ts'

/**
 * Has an import undone. It takes what applying it took, by each child's class now. Wake the jobs afterwards.
 * @throws Problem import_state, or permission_denied: then nothing is undone
 */
export async function undoRequested(
  db: Db,
  imported: ImportRow,
  { by, now }: { readonly by: Author<unknown>; readonly now: Date },
): Promise<void> {
  const { state, change_set_id: changeSet } = imported
  if (state !== 'applied') throw importState('Only an import that is applied can be undone.')
  if (changeSet !== null) {
    const made = await db
      .selectFrom('change_sets')
      .select('made_at')
      .where('id', '=', changeSet)
      .executeTakeFirstOrThrow()
    if (made.made_at < instantAfter(now, -undoableDays * 86_400_000))
      throw importState(`It was applied more than ${undoableDays} days ago.`)
    const authority = await authorityOf(db, by.userId)
    for (const done of await doneBy(db, changeSet)) checkMayUndo(authority!, done)
  }
  const begun = await write(db, by, (db) =>
    moveOn(db, imported, ['applied', 'undoing'], now.toISOString(), changedBy(by)),
  )
  if (!begun) throw changedMeanwhile()
}

/** What an import did, told apart by what undoing it takes. */
interface Done {
  readonly record: string
  readonly action: string
  /** The class that a student is in now; null: it is gone, or another record. */
  readonly class_now: number | null
  /** The class that it was moved from. */
  readonly class_before: number | null
  readonly is_sensitive: number
}

async function doneBy(db: Db, changeSet: number): Promise<Done[]> {
  const before =
    engineOf(db) === 'postgres'
      ? sql`cast(events.fields::json -> 'class_id' ->> 0 as bigint)`
      : sql`events.fields ->> '$.class_id[0]'`
  const query = sql<Done>`
    select distinct events.record, events.action, students.class_id as class_now, ${before} as class_before,
      case when event_secrets.place is null then 0 else 1 end as is_sensitive
    from events
    left join event_secrets on event_secrets.change_set_id = events.change_set_id
      and event_secrets.place = events.place
    left join students on events.record = 'student' and students.id = events.record_id
    where events.change_set_id = ${changeSet}`
  const columns = ['record', 'action', 'class_now', 'class_before', 'is_sensitive'] as const
  return rowsBeside(db, query.compile(db), columns)
}

/** @throws Problem permission_denied */
function checkMayUndo(authority: Authority, done: Done): void {
  if (done.record === 'class' && authority.scopeOf('classes.manage') !== 'all')
    throw permissionDeniedForAll('classes.manage')
  if (done.record === 'field') authority.require('fields.manage')
  if (done.record !== 'student' || done.class_now === null) return
  const needed: Permission[] = [done.action === 'created' ? 'students.create' : 'students.update']
  if (done.is_sensitive === 1) needed.push('students.sensitive')
  const classes = [done.class_now, ...(done.class_before === null ? [] : [done.class_before])]
  for (const permission of needed)
    for (const classId of classes)
      if (!isInScope(authority.scopeOf(permission), classId)) throw permissionDenied(permission)
  if (done.class_before !== null) checkSeesNoMore(authority, done.class_now, done.class_before)
}
