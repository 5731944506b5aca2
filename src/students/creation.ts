import type { Authority } from '../access/authority.ts'
import { permissionDenied } from '../access/denials.ts'
import { isInScope } from '../access/scope.ts'
import type { Db } from '../db/tables.ts'
import { allOrFaultsInTurn } from '../http/validation.ts'
import { checkOpenClass } from './changes.ts'
import { checkIdentifiers } from './identifiers.ts'
import { withName } from './names.ts'
import { othersOf } from './other-than.ts'
import { type OwnFields, readOwnFields } from './own-fields.ts'
import { type GivenStudent, type NewStudent, unknownClass } from './queries.ts'
import { checkDateOfBirth, givesSensitive } from './record.ts'

/** What a request says besides of a new student. */
interface Besides {
  /** Ids of students whom it is known not to be, with commas between. */
  readonly otherThan: string | undefined
  readonly now: Date
}

/** A student that may be created. */
interface CheckedStudent {
  readonly student: NewStudent
  /** What it will have of the school's own fields. */
  readonly own: OwnFields | undefined
  /** Students whom it is known not to be. */
  readonly others: number[]
}

/**
 * Whether a caller may create this student, inside the write that creates it.
 * @throws Problem validation_failed that tells all that is wrong. It tells a class out of the caller's scope exactly as
 * when there is none; own fields of students there are not looked at. permission_denied
 */
export async function checkNewStudent(
  db: Db,
  authority: Authority,
  given: GivenStudent,
  { otherThan, now }: Besides,
): Promise<CheckedStudent> {
  const { class_id: classId } = given
  const isKnown = isInScope(authority.require('students.create'), classId)
  const withSensitive = isInScope(authority.scopeOf('students.sensitive'), classId)
  if (isKnown && givesSensitive(given) && !withSensitive) throw permissionDenied('students.sensitive')
  const [student, , , others, own] = await allOrFaultsInTurn(
    () => withName(db, given),
    () => checkDateOfBirth(given, now),
    () => checkIdentifiers(given.identifiers),
    () => othersOf(db, authority, otherThan),
    () => (isKnown ? readOwnFields(db, given.fields, null, withSensitive) : undefined),
    (areFaulty) => {
      if (!isKnown) throw unknownClass()
      return areFaulty ? checkOpenClass(db, classId) : undefined // else the insert looks
    },
  )
  return { student, own, others }
}
