import { permissionDenied } from '../access/denials.ts'
import type { Permission } from '../access/permissions.ts'
import { isInScope } from '../access/scope.ts'
import { openClasses } from '../classes/queries.ts'
import type { Db } from '../db/tables.ts'
import { type Definitions, lockDefinitions } from '../fields/definitions.ts'
import { Problem } from '../problems.ts'
import { nameOrderOf } from '../school/name-order.ts'
import { changedColumns, checkSeesNoMore, type StudentPatch } from '../students/changes.ts'
import { loggedOf } from '../students/events.ts'
import { areTaken, type Identifier } from '../students/identifiers.ts'
import { type ChangingStudent, changeStudents } from '../students/many-changes.ts'
import { ownPrefix } from '../students/own-field-filters.ts'
import { type GivenFields, loggedOwnFields, readOwnFieldsBy } from '../students/own-fields.ts'
import { findNumberHolder } from '../students/queries.ts'
import type { StudentRow } from '../students/record.ts'
import { removeStudents } from '../students/removal.ts'
import { keepNameJoined } from './undo-name.ts'
import {
  type EventUndone,
  keep,
  notFound,
  type Revertible,
  revertible,
  type Undoing,
  type UndoneEvent,
} from './undoing.ts'

/** A student as it stands, and what of an event may be undone. */
export interface Returning extends Revertible {
  readonly row: StudentRow
  /** Whether the student goes: nobody touched it since it came. */
  readonly goes: boolean
}

/**
 * What may be undone of the creation or the change of a student, by its class now.
 * @throws Problem change_set_not_found or permission_denied
 */
export function returningOf(undoing: Undoing, event: UndoneEvent, row: StudentRow): Returning {
  const { action, fields } = event
  requireFor(undoing, event, action === 'created' ? 'students.create' : 'students.update', row.class_id)
  if (action === 'created' && row.version === 1) return { row, goes: true, back: {}, kept: [] }
  const present = { ...loggedOf(row), ...loggedOwnFields(row.own_fields) }
  const { back, kept } = revertible(fields, present)
  if (action === 'created') {
    const added = Object.keys(present).filter((name) => !(name in fields) && present[name] !== null)
    const touched = [...kept, ...added]
    return { row, goes: touched.length === 0, back: {}, kept: touched }
  }
  if ('class_id' in back) {
    const to = Number(back.class_id)
    requireFor(undoing, event, 'students.update', to)
    checkSeesNoMore(undoing.authority, row.class_id, to)
  }
  return { row, goes: false, back, kept }
}

/**
 * Removes students who go, and gives others back what they had: different ones, at once. What cannot go back stays: a
 * class that is archived, a number or an identifier that another student has, a value that its field does not take.
 * @returns what went back of each
 */
export async function giveBack(
  { tx, now }: Undoing,
  returning: readonly Returning[],
): Promise<EventUndone[]> {
  const at = now.toISOString()
  const gone = returning.filter(({ goes }) => goes).map(({ row }) => row)
  await removeStudents(tx, gone, at)
  const definitions = await lockDefinitions(tx)
  const moved = returning.flatMap(({ back }) => ('class_id' in back ? Number(back.class_id) : []))
  const open = await openClasses(tx, moved)
  const order = await nameOrderOf(tx)
  const changing: ChangingStudent[] = []
  for (const { row, back, kept } of returning) {
    if ('class_id' in back && !open.has(Number(back.class_id))) keep('class_id', { back, kept })
    await keepWhatOthersHave(tx, row.id, { back, kept })
    keepNameJoined(order, row, { back, kept })
    const { plain, given } = separate(definitions, { back, kept }, row.own_fields)
    if (Object.keys(back).length === 0) continue
    const own = given && readOwnFieldsBy(definitions, given, row.own_fields, true)
    changing.push({ row, own, changed: changedColumns(row, plain as StudentPatch, own) })
  }
  await changeStudents(tx, changing, at)
  return returning.map(({ goes, back, kept }) => {
    const undone = Object.keys(back)
    return goes || undone.length > 0 ? { undone, kept } : { kept }
  })
}

async function keepWhatOthersHave(db: Db, id: number, { back, kept }: Revertible): Promise<void> {
  if ('admission_number' in back) {
    const holder = await findNumberHolder(db, String(back.admission_number))
    if (holder !== undefined && holder !== id) keep('admission_number', { back, kept })
  }
  if (await areTaken(db, id, back.identifiers as Identifier[] | null | undefined))
    keep('identifiers', { back, kept })
}

/** Own fields apart from the other values. What they can't take any more is kept: an archived field, or a lost option. */
export function separate(
  definitions: Definitions,
  { back, kept }: Revertible,
  before: string | null,
): { readonly plain: Record<string, unknown>; readonly given: GivenFields | undefined } {
  const own: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(back).filter(([name]) => isOwn(name))) {
    const given = { [name.slice(ownPrefix.length)]: value } as GivenFields
    if (isTaken(definitions, given, before)) Object.assign(own, given)
    else keep(name, { back, kept })
  }
  const plain = Object.fromEntries(Object.entries(back).filter(([name]) => !isOwn(name)))
  return { plain, given: Object.keys(own).length === 0 ? undefined : (own as GivenFields) }
}

function isOwn(name: string): boolean {
  return name.startsWith(ownPrefix)
}

function isTaken(definitions: Definitions, given: GivenFields, before: string | null): boolean {
  try {
    readOwnFieldsBy(definitions, given, before, true)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** @throws Problem change_set_not_found to who may not see the student, else permission_denied */
export function requireFor(
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
