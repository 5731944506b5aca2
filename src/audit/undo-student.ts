import { permissionDenied } from '../access/denials.ts'
import type { Permission } from '../access/permissions.ts'
import { isInScope } from '../access/scope.ts'
import type { Db } from '../db/tables.ts'
import { Problem } from '../problems.ts'
import {
  changedColumns,
  checkSeesNoMore,
  type StudentPatch,
  stateOfClass,
  writeStudent,
} from '../students/changes.ts'
import { loggedOf } from '../students/events.ts'
import { areTaken, type Identifier } from '../students/identifiers.ts'
import { type GivenFields, loggedOwnFields, readOwnFields } from '../students/own-fields.ts'
import { findNumberHolder, restoreStudent, selectRecords } from '../students/queries.ts'
import { removeStudents } from '../students/removal.ts'
import { keepNameJoined } from './undo-name.ts'
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
      (await areTaken(tx, id, again.identifiers as Identifier[] | null)) ||
      row !== undefined ||
      (await findNumberHolder(tx, String(again.admission_number))) !== undefined
    if (isTaken) return { kept: ['admission_number'] }
    if ((await stateOfClass(tx, Number(again.class_id))) !== 'open') return { kept: ['class_id'] }
    const { plain, given, kept } = await separate(tx, again, null)
    const own = await readOwnFields(tx, given, null, true)
    await restoreStudent(tx, lists, id, plain, at, own)
    return { undone: [], kept }
  }
  if (row === undefined) {
    // Nobody may be told more of a record that is gone than that it is kept as it is.
    requireFor(undoing, event, 'students.update', Number((fields.class_id ?? [])[1] ?? 0))
    return { kept: Object.keys(fields) }
  }
  const isCreation = action === 'created'
  requireFor(undoing, event, isCreation ? 'students.create' : 'students.update', row.class_id)
  const present = { ...loggedOf(row), ...loggedOwnFields(row.own_fields) }
  const { back, kept } = revertible(fields, present)
  if (isCreation) {
    const added = Object.keys(present).filter((name) => !(name in fields) && present[name] !== null)
    const touched = [...kept, ...added]
    if (touched.length > 0) return { kept: touched }
    await removeStudents(tx, [row], at)
    return { undone: [] }
  }
  if ('class_id' in back) {
    const to = Number(back.class_id)
    requireFor(undoing, event, 'students.update', to)
    checkSeesNoMore(undoing.authority, row.class_id, to)
    if ((await stateOfClass(tx, to)) !== 'open') {
      delete back.class_id
      kept.push('class_id')
    }
  }
  if ('admission_number' in back) {
    const holder = await findNumberHolder(tx, String(back.admission_number))
    if (holder !== undefined && holder !== id) {
      delete back.admission_number
      kept.push('admission_number')
    }
  }
  await keepNameJoined(tx, row, { back, kept })
  if ('identifiers' in back && (await areTaken(tx, id, back.identifiers as Identifier[] | null))) {
    delete back.identifiers
    kept.push('identifiers')
  }
  const { plain, given, kept: refused } = await separate(tx, back, row.own_fields)
  kept.push(...refused)
  const undone = Object.keys(back).filter((name) => !refused.includes(name))
  if (undone.length === 0) return { kept }
  const own = await readOwnFields(tx, given, row.own_fields, true)
  await writeStudent(tx, lists, row, changedColumns(row, plain as StudentPatch, own), at, own)
  return { undone, kept }
}

/** Own fields apart from the others; what they can't take any more is refused: an archived field, or a lost option. */
async function separate(db: Db, values: Readonly<Record<string, unknown>>, before: string | null) {
  const [plain, given]: Record<string, unknown>[] = [{}, {}]
  const kept: string[] = []
  for (const [name, value] of Object.entries(values)) {
    if (!name.startsWith('fields.')) plain![name] = value
    else if (await isTaken(db, { [name.slice(7)]: value } as GivenFields, before))
      given![name.slice(7)] = value
    else kept.push(name)
  }
  return { plain: plain!, given: given as GivenFields, kept }
}

async function isTaken(db: Db, given: GivenFields, before: string | null): Promise<boolean> {
  try {
    await readOwnFields(db, given, before, true)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
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
