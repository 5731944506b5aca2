import type { Authority } from '../access/authority.ts'
import { permissionDenied } from '../access/denials.ts'
import { isInScope } from '../access/scope.ts'
import { passKeyOn } from '../classes/twin-keys.ts'
import { lockRow, shareRows } from '../db/row-locks.ts'
import type { Db, Instant } from '../db/tables.ts'
import { violatesUnique } from '../db/violations.ts'
import type { Tx } from '../events/log.ts'
import { lockDefinitions } from '../fields/definitions.ts'
import type { Precondition } from '../http/conditions.ts'
import { allOrFaultsInTurn } from '../http/validation.ts'
import { studentChange } from './events.ts'
import { checkIdentifiers, storedIdentifiers } from './identifiers.ts'
import { changesDerived, type DerivedColumns } from './lists/derived.ts'
import { derivedColumns } from './lists/lists.ts'
import { rejoined } from './names.ts'
import { admissionNumberTaken, isFree, keepFormerNumber } from './numbers/given-once.ts'
import { definitionsOf, type OwnFields, readOwnFieldsBy } from './own-fields.ts'
import { archivedClass, type GivenStudent, selectRecords, studentNotFound, unknownClass } from './queries.ts'
import {
  checkDateOfBirth,
  givesSensitive,
  type ShownStudent,
  type StudentRow,
  storedGuardians,
  tagOf,
  viewOf,
} from './record.ts'
import { replaceSideRows } from './side-tables.ts'

/** What is to be changed: members that are left out stay, null takes a detail away (RFC 7396). */
export type StudentPatch = Partial<GivenStudent>

/** What the answer to a change shows, and its entity tag. */
interface ChangedStudentView {
  readonly student: ShownStudent | Pick<ShownStudent, 'id'>
  readonly tag: string
}

/** Which version is meant, what of it is to be changed, and when. */
export interface StudentChange {
  readonly precondition: Precondition
  readonly patch: StudentPatch
  readonly now: Date
}

/**
 * Changes a student, inside a write, behind `lockStudent`. A patch that leaves all as it is makes no new version.
 * @returns what the caller sees of the student from now on
 * @throws Problem student_not_found, precondition_failed, admission_number_taken or identifier_taken.
 * permission_denied, also for a move that would show the caller more. validation_failed that tells all that is wrong, as
 * a class that is not there, archived or out of the caller's scope.
 */
export async function updateStudent(
  tx: Tx,
  authority: Authority,
  id: number,
  { precondition, patch, now }: StudentChange,
): Promise<ChangedStudentView> {
  const row = await selectRecords(tx).where('students.id', '=', id).executeTakeFirst()
  const mayUpdate = authority.require('students.update')
  const seesSensitive = authority.scopeOf('students.sensitive')
  if (row === undefined) throw studentNotFound()
  if (!isInScope(mayUpdate, row.class_id)) {
    const isSeen = isInScope(authority.scopeOf('students.view'), row.class_id)
    throw isSeen ? permissionDenied('students.update') : studentNotFound()
  }
  const withSensitive = isInScope(seesSensitive, row.class_id)
  if (givesSensitive(patch) && !withSensitive) throw permissionDenied('students.sensitive')
  const { class_id: newClass = row.class_id, fields: given = {} } = patch
  const givesOwn = Object.keys(given).length > 0
  const definitions = await (givesOwn ? lockDefinitions(tx) : definitionsOf(tx, row))
  precondition.check(tagOf(row, definitions, withSensitive))
  const [renamed, , , own] = await allOrFaultsInTurn(
    () => rejoined(tx, row, patch),
    () => checkDateOfBirth(patch, now),
    () => checkIdentifiers(patch.identifiers),
    () => (givesOwn ? readOwnFieldsBy(definitions, given, row.own_fields, withSensitive) : undefined),
    () => checkMove(tx, authority, row.class_id, newClass),
  )
  const setsSensitive = givesSensitive(patch) || own?.setsSensitive
  if (setsSensitive && !isInScope(seesSensitive, newClass)) throw permissionDenied('students.sensitive')

  const changed: ChangedColumns = { ...changedColumns(row, patch, own), ...renamed }
  if (Object.keys(changed).length === 0) return viewFor(tx, authority, row)
  await writeStudent(tx, row, changed, now.toISOString(), own)
  const updated = await selectRecords(tx).where('students.id', '=', id).executeTakeFirstOrThrow()
  return viewFor(tx, authority, updated)
}

/**
 * Gives columns of a student other values, as the next version, and logs it.
 * @throws Problem admission_number_taken or identifier_taken
 */
async function writeStudent(
  tx: Tx,
  row: StudentRow,
  changed: ChangedColumns,
  now: Instant,
  own?: OwnFields,
): Promise<void> {
  const { id } = row
  const key = changesDerived(changed) ? await keyOf(tx, id) : undefined
  const derived = key === undefined ? undefined : derivedOf(tx, row, changed, key)
  await updateColumns(tx, id, { ...changed, ...derived, version: row.version + 1, updated_at: now })
  if (key !== undefined && key !== derived?.admission_key)
    await passKeyOn(tx, ['students', 'admission_key'], key)
  const { guardians, identifiers } = changed
  await replaceSideRows(tx, [{ id, guardians, identifiers, own }])
  const change = studentChange({ before: row, after: { ...row, ...changed } }, now, own)
  tx.record({ ...change, id, action: 'changed' })
}

/** @throws Problem validation_failed for a class that takes no student of the caller's, or permission_denied */
async function checkMove(db: Db, authority: Authority, from: number, to: number): Promise<void> {
  if (to === from) return
  if (!isInScope(authority.require('students.update'), to)) throw unknownClass()
  checkSeesNoMore(authority, from, to)
  await checkOpenClass(db, to)
}

/**
 * Refuses a move that would show the caller more: with it, whoever may move students could read any of them, and
 * move them back.
 * @throws Problem permission_denied
 */
export function checkSeesNoMore(authority: Authority, from: number, to: number): void {
  for (const permission of ['students.view', 'students.sensitive'] as const) {
    const scope = authority.scopeOf(permission)
    if (isInScope(scope, to) && !isInScope(scope, from)) throw permissionDenied(permission)
  }
}

/** What the caller may see of a student; without `students.view`, its id and the tag. */
async function viewFor(db: Db, authority: Authority, row: StudentRow): Promise<ChangedStudentView> {
  const withSensitive = isInScope(authority.scopeOf('students.sensitive'), row.class_id)
  const { student, tag } = viewOf(row, await definitionsOf(db, row), withSensitive)
  const isSeen = isInScope(authority.scopeOf('students.view'), row.class_id)
  return { student: isSeen ? student : { id: row.id }, tag }
}

/**
 * Of two who change a student at once, the second sees what the first one wrote. By itself, since a join that waits for
 * a lock goes on with the class that the student had before.
 */
export async function lockStudent(db: Db, id: number): Promise<void> {
  await lockRow(db, 'students', id)
}

/** @throws Problem validation_failed where a class is not there, or archived */
export async function checkOpenClass(db: Db, id: number): Promise<void> {
  await shareRows(db, 'classes', [id])
  const found = await db.selectFrom('classes').select('archived_at').where('id', '=', id).executeTakeFirst()
  if (found === undefined) throw unknownClass()
  if (found.archived_at !== null) throw archivedClass()
}

type Columns = Pick<StudentRow, keyof Omit<GivenStudent, 'fields'> | 'name_joined' | 'own_fields'>

/** Columns to change, with their new values. */
export type ChangedColumns = Partial<Columns>

/** The columns to which the patch gives another value. */
export function changedColumns(
  row: StudentRow,
  { guardians, identifiers, fields: _, ...patch }: StudentPatch,
  own: OwnFields | undefined,
): ChangedColumns {
  const given = {
    ...patch,
    ...(guardians !== undefined && { guardians: storedGuardians(guardians) }),
    ...(identifiers !== undefined && { identifiers: storedIdentifiers(identifiers) }),
    ...(own !== undefined && { own_fields: own.stored }),
  }
  return Object.fromEntries(
    Object.entries(given).filter(([column, value]) => value !== row[column as keyof Columns]),
  )
}

/** The columns that follow from those. A number that stays keeps its key. @param key the one that stands */
export function derivedOf(db: Db, row: StudentRow, changed: ChangedColumns, key: string): DerivedColumns {
  const kept = changed.admission_number === undefined ? { admission_key: key } : undefined
  return derivedColumns(db, { ...row, ...changed, ...kept })
}

async function keyOf(db: Db, id: number): Promise<string> {
  const students = db.selectFrom('students').where('id', '=', id)
  return (await students.select('admission_key').executeTakeFirstOrThrow()).admission_key
}

type Update = Partial<Columns & DerivedColumns> & { readonly version: number; readonly updated_at: Instant }

async function updateColumns(db: Db, id: number, columns: Update): Promise<void> {
  const { admission_number, admission_key, updated_at } = columns
  const update = db.updateTable('students').set(columns).where('id', '=', id)
  if (admission_number === undefined) return void (await update.execute())
  await keepFormerNumber(db, id, admission_key!, updated_at)
  try {
    const { numUpdatedRows } = await update.where(isFree(admission_key!, id)).executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw admissionNumberTaken()
  } catch (error) {
    throw violatesUnique(error, 'students.admission_key') ? admissionNumberTaken(error) : error
  }
}
