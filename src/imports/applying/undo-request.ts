import { sql } from 'kysely'
import type { Authority } from '../../access/authority.ts'
import { permissionDeniedForAll, permissionDeniedForClass } from '../../access/denials.ts'
import type { Permission } from '../../access/permissions.ts'
import { isInScope } from '../../access/scope.ts'
import { secretsOfEvent } from '../../audit/entries.ts'
import { isTooOld, undoableDays } from '../../audit/undo.ts'
import { engineOf } from '../../db/engine.ts'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db, Instant } from '../../db/tables.ts'
import type { Author } from '../../events/write.ts'
import { Problem } from '../../problems.ts'
import { checkSeesNoMore } from '../../students/changes.ts'
import { columnsOfAuthor } from '../acting.ts'
import type { ImportRow } from '../model.ts'
import { authorityOrNone } from '../planning/basis.ts'
import { moveTo, wrongState } from '../states.ts'

/**
 * Checks that an account may undo all that an import did: it takes what applying it took, by each child's class now.
 * It reads much, so it is called before the write.
 * @param userId undefined: a command undoes it
 * @throws Problem import_state, change_set_not_undoable, or permission_denied: then nothing is undone
 */
export async function checkUndo(
  db: Db,
  imported: ImportRow,
  userId: number | undefined,
  now: Date,
): Promise<void> {
  const { state, change_set_id: changeSet, emptied_at: emptiedAt } = imported
  if (state !== 'applied') throw wrongState(imported, 'undone')
  if (changeSet === null)
    throw new Problem('change_set_not_undoable', 'The import changed nothing: there is nothing to take back.')
  if (emptiedAt !== null)
    throw new Problem('change_set_not_undoable', 'Its rows were erased: nobody knows any more what it did.')
  const made = await db
    .selectFrom('change_sets')
    .select('made_at')
    .where('id', '=', changeSet)
    .executeTakeFirstOrThrow()
  if (isTooOld(made.made_at, now))
    throw new Problem('change_set_not_undoable', `It was applied more than ${undoableDays} days ago.`)
  const authority = await authorityOrNone(db, userId)
  for (const done of await doneBy(db, changeSet)) checkMayUndo(authority, done)
}

/** Has it undone, inside the write of the request. Wake the jobs afterwards. @throws Problem import_state */
export async function requestUndo(db: Db, imported: ImportRow, by: Author, now: Instant): Promise<void> {
  if (!(await moveTo(db, imported.id, ['applied'], 'undoing', now, columnsOfAuthor(by))))
    throw wrongState(imported, 'undone')
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
      case when ${secretsOfEvent} is null then 0 else 1 end as is_sensitive
    from events
    left join students on events.record = 'student' and students.id = events.record_id
    where events.change_set_id = ${changeSet}`
  return rowsBeside(db, query)
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
      if (!isInScope(authority.require(permission), classId)) throw permissionDeniedForClass(permission)
  if (done.class_before !== null) checkSeesNoMore(authority, done.class_now, done.class_before)
}
