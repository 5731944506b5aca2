import { permissionDenied, permissionDeniedForAll } from '../access/denials.ts'
import { isInScope } from '../access/scope.ts'
import { type ClassPatch, deleteClass, insertClass, type NewClass, updateClass } from '../classes/changes.ts'
import { findClass } from '../classes/queries.ts'
import type { Db } from '../db/tables.ts'
import { uniqueKey } from '../text/normalise.ts'
import { type EventUndone, keep, notFound, revertible, type Undoing, type UndoneEvent } from './undoing.ts'

/** Undoes one change of a class. @throws Problem change_set_not_found or permission_denied */
export async function undoClassEvent(undoing: Undoing, event: UndoneEvent): Promise<EventUndone> {
  const { tx, authority, now } = undoing
  const { id, action, fields } = event
  const [isSeen, scope] = [
    isInScope(authority.scopeOf('classes.view'), id),
    authority.scopeOf('classes.manage'),
  ]
  if (!isInScope(scope, id)) throw isSeen ? permissionDenied('classes.manage') : notFound()
  if ((action !== 'changed' || 'label' in fields) && scope !== 'all')
    throw permissionDeniedForAll('classes.manage')

  const at = now.toISOString()
  const found = await findClass(tx, id, 'all')
  if (action === 'removed') {
    const again = Object.fromEntries(Object.entries(fields).map(([name, [from]]) => [name, from]))
    const label = String(again.label)
    if (found !== undefined || (await isTaken(tx, id, label))) return { kept: ['label'] }
    await insertClass(tx, { id, ...(again as Partial<NewClass>), label }, at)
    return { undone: [] }
  }
  if (found === undefined) return { kept: Object.keys(fields) }
  const { back, kept } = revertible(fields, { ...found })
  if (action === 'created') {
    const isArchivedSince = found.archived && !('archived' in fields)
    if (kept.length > 0 || isArchivedSince) return { kept: kept.length > 0 ? kept : ['archived'] }
    if (await isUsed(tx, id)) return { kept: ['students'] }
    await deleteClass(tx, found, at)
    return { undone: [] }
  }
  if ('label' in back && (await isTaken(tx, id, String(back.label)))) keep('label', { back, kept })
  const undone = Object.keys(back)
  if (undone.length === 0) return { kept }
  await updateClass(tx, found, back as ClassPatch, at)
  return { undone, kept }
}

async function isTaken(db: Db, id: number, label: string): Promise<boolean> {
  const other = await db
    .selectFrom('classes')
    .select('id')
    .where('label_key', '=', uniqueKey(label))
    .where('id', '!=', id)
    .executeTakeFirst()
  return other !== undefined
}

/** Whether it has or had students, or roles are granted for it. */
async function isUsed(db: Db, id: number): Promise<boolean> {
  const counted = await db
    .selectFrom('class_counts')
    .select('slot')
    .where('class_id', '=', id)
    .limit(1)
    .execute()
  const granted = await db
    .selectFrom('user_role_classes')
    .select('user_id')
    .where('class_id', '=', id)
    .limit(1)
    .execute()
  return counted.length + granted.length > 0
}
