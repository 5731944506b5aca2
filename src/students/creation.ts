import type { Authority } from '../access/authority.ts'
import { permissionDenied } from '../access/denials.ts'
import { isInScope } from '../access/scope.ts'
import type { Db } from '../db/tables.ts'
import { findDoubles, possibleDuplicate } from './doubles.ts'
import { checkOthers } from './other-than.ts'
import { type OwnFields, readOwnFields } from './own-fields.ts'
import { type NewStudent, unknownClass } from './queries.ts'
import { givesSensitive } from './record.ts'

/**
 * Whether a caller may create this student, and whether it may be there already; inside the write that creates it.
 * @param others students whom it is known not to be
 * @returns what the student will have of the school's own fields
 * @throws Problem validation_failed when the class is out of the caller's scope, exactly as when there is none;
 * permission_denied, or possible_duplicate
 */
export async function checkNewStudent(
  db: Db,
  authority: Authority,
  student: NewStudent,
  refusesDuplicates: boolean,
  others: readonly number[],
): Promise<OwnFields | undefined> {
  if (!isInScope(authority.require('students.create'), student.class_id)) throw unknownClass()
  const withSensitive = isInScope(authority.scopeOf('students.sensitive'), student.class_id)
  if (givesSensitive(student) && !withSensitive) throw permissionDenied('students.sensitive')
  await checkOthers(db, authority, others)
  const own = await readOwnFields(db, student.fields, null, withSensitive)
  if (!refusesDuplicates) return own
  const doubles = await findDoubles(db, authority, student, others)
  if (doubles.length > 0) throw possibleDuplicate(doubles)
  return own
}
