import { permissionDenied } from '../access/denials.ts'
import type { Permission } from '../access/permissions.ts'
import { isInScope } from '../access/scope.ts'
import { changedColumns, checkSeesNoMore, type StudentPatch, writeStudent } from '../students/changes.ts'
import { loggedOf } from '../students/events.ts'
import { findNumberHolder, restoreStudent, selectRecords } from '../students/queries.ts'
import { removeStudent } from '../students/removal.ts'
import { type EventUndone, notFound, revertible, type Undoing, type UndoneEvent } from './undoing.ts'

/** Undoes one change of a student. @throws Problem change_set_not_found or permission_denied */
export async function undoStudentEvent(undoing: Undoing, event: UndoneEvent): Promise<EventUndone> {
  const { tx, lists, now } = undoing
  const { id, action, fields } = event
  const at = now.toISOString()
  const row = await selectRecords(tx).where('students.id', '=', id).executeTakeFirst()
  if (action === 'removed') {
    const again = Object.fromEntries(Object.entries(fields).map(([name, [from]]) => [name, from]))
    requireFor(undoing, event, 'students.create', Number(again.class_id))
    const isTaken =
      row !== undefined || (await findNumberHolder(tx, String(again.admission_number))) !== undefined
    if (isTaken) return { kept: ['admission_number'] }
    await restoreStudent(tx, lists, id, again, at)
    return { undone: [] }
  }
  if (row === undefined) {
    // Nobody may be told more of a record that is gone than that it is kept as it is.
    requireFor(undoing, event, 'students.update', Number((fields.class_id ?? [])[1] ?? 0))
    return { kept: Object.keys(fields) }
  }
  const isCreation = action === 'created'
  requireFor(undoing, event, isCreation ? 'students.create' : 'students.update', row.class_id)
  const present = loggedOf(row)
  const { back, kept } = revertible(fields, present)
  if (isCreation) {
    const added = Object.keys(present).filter((name) => !(name in fields) && present[name] !== null)
    const touched = [...kept, ...added]
    if (touched.length > 0) return { kept: touched }
    await removeStudent(tx, row, at)
    return { undone: [] }
  }
  if ('class_id' in back) {
    const to = Number(back.class_id)
    requireFor(undoing, event, 'students.update', to)
    checkSeesNoMore(undoing.authority, row.class_id, to)
  }
  if ('admission_number' in back) {
    const holder = await findNumberHolder(tx, String(back.admission_number))
    if (holder !== undefined && holder !== id) {
      delete back.admission_number
      kept.push('admission_number')
    }
  }
  const undone = Object.keys(back)
  if (undone.length === 0) return { kept }
  await writeStudent(tx, lists, row, changedColumns(row, back as StudentPatch), at)
  return { undone, kept }
}

/** @throws Problem change_set_not_found to who may not see the student, else permission_denied */
function requireFor(
  { authority }: Undoing,
  event: UndoneEvent,
  permission: Permission,
  classId: number,
): void {
  const needed: Permission[] = event.isSensitive ? [permission, 'students.sensitive'] : [permission]
  for (const one of needed) {
    if (isInScope(authority.scopeOf(one), classId)) continue
    throw isInScope(authority.scopeOf('students.view'), classId) ? permissionDenied(one) : notFound()
  }
}
