import { type AskingCaller, prepareAdmitted } from '../access/admitted-reads.ts'
import { isInScope } from '../access/scope.ts'
import { prepare } from '../db/prepare.ts'
import type { Db, Instant } from '../db/tables.ts'
import { violatesForeignKey, violatesUnique } from '../db/violations.ts'
import type { Author } from '../events/write.ts'
import { invalidField, Problem } from '../problems.ts'
import { fold } from '../text/fold.ts'
import { admissionKey } from '../text/formats.ts'
import { searchText } from '../text/search-words.ts'

export interface ListedStudent {
  readonly id: number
  readonly name: string
  readonly admission_number: string
  readonly class_id: number
  readonly class: string
}

export const studentColumns = [
  'students.id',
  'students.name',
  'students.admission_number',
  'students.class_id',
  'classes.label as class',
] as const

export const selectStudents = (db: Pick<Db, 'selectFrom'>) =>
  db.selectFrom('students').innerJoin('classes', 'classes.id', 'students.class_id').select(studentColumns)

const selectStudent = prepareAdmitted<{ id: number }, ListedStudent>((db, { id }) =>
  selectStudents(db).where('students.id', '=', id),
)

/** @returns undefined also for a student of a class that is out of the caller's scope */
export async function findStudent(
  db: Db,
  caller: AskingCaller,
  id: number,
): Promise<ListedStudent | undefined> {
  const [student] = await selectStudent(db, caller, { id })
  return student && isInScope(caller.admission.scope, student.class_id) ? student : undefined
}

export interface NewStudent {
  readonly name: string
  readonly admission_number: string
  readonly class_id: number
}

/**
 * One statement: no row comes of it when no class takes the student, whether or not the number is taken.
 * @returns the new student's id
 * @throws Problem validation_failed when there is no such class or it is archived, or admission_number_taken
 */
export async function insertStudent(db: Db, _by: Author, student: NewStudent, now: Instant): Promise<number> {
  try {
    const [inserted] = await insertIntoClass(db, {
      ...student,
      admission_key: admissionKey(student.admission_number),
      folded_name: fold(student.name),
      search_text: searchText(student.name, student.admission_number),
      now,
    })
    if (inserted === undefined) throw await refusalOfClass(db, student.class_id)
    return inserted.id
  } catch (error) {
    if (violatesUnique(error, 'students.admission_key')) throw admissionNumberTaken(error)
    throw violatesForeignKey(error) ? unknownClass() : error
  }
}

interface InsertedValues extends NewStudent {
  readonly admission_key: string
  readonly folded_name: string
  readonly search_text: string
  readonly now: Instant
}

const insertIntoClass = prepare<InsertedValues, { id: number }>((db, values) =>
  db
    .insertInto('students')
    .columns([
      'name',
      'admission_number',
      'admission_key',
      'class_id',
      'folded_name',
      'search_text',
      'created_at',
      'updated_at',
    ])
    .expression(
      db
        .selectFrom('classes')
        .select([
          values.name.as('name'),
          values.admission_number.as('admission_number'),
          values.admission_key.as('admission_key'),
          'classes.id as class_id',
          values.folded_name.as('folded_name'),
          values.search_text.as('search_text'),
          values.now.as('created_at'),
          values.now.as('updated_at'),
        ])
        .where('classes.id', '=', values.class_id)
        .where('classes.archived_at', 'is', null),
    )
    .returning('id'),
)

/** Why a class takes no student: it is archived, or not there. */
export async function refusalOfClass(db: Db, classId: number): Promise<Problem> {
  const found = await db.selectFrom('classes').select('id').where('id', '=', classId).executeTakeFirst()
  if (found === undefined) return unknownClass()
  const detail =
    'must be the id of a class that is not archived; GET /api/classes?archived=false lists them, and PATCH /api/classes/{id} restores one'
  return invalidField('/class_id', 'archived_class', detail)
}

function unknownClass(): Problem {
  const detail =
    'must be the id of a class; GET /api/classes lists them, as does the command "./registrar.js class list"'
  return invalidField('/class_id', 'unknown_class', detail)
}

function admissionNumberTaken(cause: unknown): Problem {
  return new Problem(
    'admission_number_taken',
    'Another student has this admission number; numbers are unique, ignoring case.',
    {
      errors: [{ pointer: '/admission_number', code: 'taken', detail: 'is the number of another student' }],
      cause,
    },
  )
}
