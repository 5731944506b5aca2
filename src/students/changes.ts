import type { Authority } from '../access/authority.ts'
import { permissionDenied } from '../access/denials.ts'
import { isInScope } from '../access/scope.ts'
import { lockRow, shareRow } from '../db/row-locks.ts'
import type { Db, Instant } from '../db/tables.ts'
import { violatesUnique } from '../db/violations.ts'
import type { Precondition } from '../http/conditions.ts'
import type { DerivedColumns } from './lists/derived.ts'
import type { StudentLists } from './lists/lists.ts'
import { admissionNumberTaken, isFree, keepFormerNumber } from './numbers/given-once.ts'
import { archivedClass, type NewStudent, selectRecords, studentNotFound, unknownClass } from './queries.ts'
import {
  givesSensitive,
  type ShownStudent,
  type StudentRow,
  storedGuardians,
  tagOf,
  viewOf,
} from './record.ts'

/** What is to be changed: members that are left out stay, null takes a detail away (RFC 7396). */
export type StudentPatch = Partial<NewStudent>

/** What the answer to a change shows, and its entity tag. */
export interface ChangedStudentView {
  readonly student: ShownStudent | Pick<ShownStudent, 'id'>
  readonly tag: string
}

/** Which version is meant, what of it is to be changed, and when. */
export interface StudentChange {
  readonly precondition: Precondition
  readonly patch: StudentPatch
  readonly now: Instant
}

/**
 * Changes a student, inside a write, behind `lockStudent`. A patch that leaves all as it is makes no new version.
 * @returns what the caller sees of the student from now on
 * @throws Problem student_not_found, permission_denied (also for a move that would show the
 * caller more), precondition_failed, admission_number_taken, or validation_failed when it is to move to a class that is not there, archived or out of the caller's scope
 */
export async function updateStudent(
  db: Db,
  authority: Authority,
  lists: Pick<StudentLists, 'derived'>,
  id: number,
  { precondition, patch, now }: StudentChange,
): Promise<ChangedStudentView> {
  const row = await selectRecords(db).where('students.id', '=', id).executeTakeFirst()
  const mayUpdate = authority.require('students.update')
  const seesSensitive = authority.scopeOf('students.sensitive')
  if (row === undefined) throw studentNotFound()
  if (!isInScope(mayUpdate, row.class_id)) {
    const isSeen = isInScope(authority.scopeOf('students.view'), row.class_id)
    throw isSeen ? permissionDenied('students.update') : studentNotFound()
  }
  const setsSensitive = givesSensitive(patch)
  const withSensitive = isInScope(seesSensitive, row.class_id)
  if (setsSensitive && !withSensitive) throw permissionDenied('students.sensitive')
  precondition.check(tagOf(row, withSensitive))

  const changed = changedColumns(row, patch)
  const { class_id: newClass = row.class_id } = changed
  if (newClass !== row.class_id) {
    if (!isInScope(mayUpdate, newClass)) throw unknownClass()
    checkSeesNoMore(authority, row.class_id, newClass)
    await checkOpenClass(db, newClass)
    if (setsSensitive && !isInScope(seesSensitive, newClass)) throw permissionDenied('students.sensitive')
  }
  if (Object.keys(changed).length === 0) return viewFor(authority, row)
  const derived = await derivedColumns(db, lists, row, changed)
  await updateColumns(db, id, { ...changed, ...derived, version: row.version + 1, updated_at: now })
  const updated = await selectRecords(db).where('students.id', '=', id).executeTakeFirstOrThrow()
  return viewFor(authority, updated)
}

/**
 * Refuses a move that would show the caller more: with it, whoever may move students could read any of them, and
 * move them back.
 * @throws Problem permission_denied
 */
function checkSeesNoMore(authority: Authority, from: number, to: number): void {
  for (const permission of ['students.view', 'students.sensitive'] as const) {
    const scope = authority.scopeOf(permission)
    if (isInScope(scope, to) && !isInScope(scope, from)) throw permissionDenied(permission)
  }
}

/** What the caller may see of a student; without `students.view`, its id and the tag. */
function viewFor(authority: Authority, row: StudentRow): ChangedStudentView {
  const { student, tag } = viewOf(row, isInScope(authority.scopeOf('students.sensitive'), row.class_id))
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

/** The class stays open until the move is made. */
async function checkOpenClass(db: Db, id: number): Promise<void> {
  await shareRow(db, 'classes', id)
  const found = await db.selectFrom('classes').select('archived_at').where('id', '=', id).executeTakeFirst()
  if (found === undefined) throw unknownClass()
  if (found.archived_at !== null) throw archivedClass()
}

type Columns = Omit<
  StudentRow,
  'id' | 'class' | 'class_version' | 'class_updated_at' | 'version' | 'updated_at'
>

/** The columns to which the patch gives another value. */
function changedColumns(row: StudentRow, { guardians, ...patch }: StudentPatch): Partial<Columns> {
  const given = { ...patch, ...(guardians !== undefined && { guardians: storedGuardians(guardians) }) }
  return Object.fromEntries(
    Object.entries(given).filter(([column, value]) => value !== row[column as keyof Columns]),
  )
}

/** The columns that follow from those. A number that stays keeps its key. */
async function derivedColumns(
  db: Db,
  lists: Pick<StudentLists, 'derived'>,
  row: StudentRow,
  changed: Partial<Columns>,
): Promise<Partial<DerivedColumns>> {
  if (changed.admission_number !== undefined) return lists.derived({ ...row, ...changed })
  const { name, preferred_name, family_name, former_names } = changed
  if ([name, preferred_name, family_name, former_names].every((one) => one === undefined)) return {}
  const students = db.selectFrom('students').where('id', '=', row.id)
  const { admission_key } = await students.select('admission_key').executeTakeFirstOrThrow()
  return lists.derived({ ...row, ...changed, admission_key })
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
