import type { RawBuilder } from 'kysely'
import { type AskingCaller, prepareAdmitted } from '../access/admitted-reads.ts'
import { isInScope } from '../access/scope.ts'
import { engineOf } from '../db/engine.ts'
import { prepare } from '../db/prepare.ts'
import { andThen, type Soon } from '../db/soon.ts'
import type { Db, Instant } from '../db/tables.ts'
import { violatesForeignKey, violatesUnique } from '../db/violations.ts'
import type { Author } from '../events/write.ts'
import { invalidField, Problem } from '../problems.ts'
import {
  derivedColumns,
  derivedNames,
  type GivenDetails,
  type StudentRow,
  type StudentView,
  storedGuardians,
  viewOf,
} from './record.ts'

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

/** Students with all that is stored of them. */
export const selectRecords = (db: Pick<Db, 'selectFrom'>) =>
  selectStudents(db).select([
    'students.preferred_name',
    'students.date_of_birth',
    'students.gender',
    'students.guardians',
    'students.notes',
    'students.version',
    'students.updated_at',
    'classes.version as class_version',
    'classes.updated_at as class_updated_at',
  ])

const selectRecord = prepareAdmitted<{ id: number }, StudentRow>((db, { id }) =>
  selectRecords(db).where('students.id', '=', id),
)

/**
 * What the caller sees of a student, on a route whose second permission is `students.sensitive`.
 * @throws Problem student_not_found also for a student of a class that is out of the caller's scope
 */
export function getStudent(db: Db, caller: AskingCaller, id: number): Soon<StudentView> {
  return andThen(selectRecord(db, caller, { id }), ([row]) => {
    const { scope, scopeBesides } = caller.admission
    if (row === undefined || !isInScope(scope, row.class_id)) throw studentNotFound()
    return viewOf(row, isInScope(scopeBesides, row.class_id))
  })
}

export interface NewStudent extends GivenDetails {
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
      preferred_name: null,
      date_of_birth: null,
      gender: null,
      notes: null,
      ...student,
      guardians: storedGuardians(student.guardians),
      ...derivedColumns(engineOf(db), student),
      now,
    })
    if (inserted === undefined) throw await refusalOfClass(db, student.class_id)
    return inserted.id
  } catch (error) {
    if (violatesUnique(error, 'students.admission_key')) throw admissionNumberTaken(error)
    throw violatesForeignKey(error) ? unknownClass() : error
  }
}

type DerivedValues = { readonly [Name in ReturnType<typeof derivedNames>[number]]?: string }

interface InsertedValues extends Required<Omit<NewStudent, 'guardians'>>, DerivedValues {
  readonly guardians: string | null
  readonly now: Instant
}

const insertIntoClass = prepare<InsertedValues, { id: number }>((db, values) => {
  const derived = derivedNames(engineOf(db))
  return db
    .insertInto('students')
    .columns([
      'name',
      'admission_number',
      'class_id',
      'preferred_name',
      'date_of_birth',
      'gender',
      'guardians',
      'notes',
      'created_at',
      'updated_at',
      ...derived,
    ])
    .expression(
      db
        .selectFrom('classes')
        .select([
          values.name.as('name'),
          values.admission_number.as('admission_number'),
          'classes.id as class_id',
          values.preferred_name.as('preferred_name'),
          values.date_of_birth.as('date_of_birth'),
          values.gender.as('gender'),
          values.guardians.as('guardians'),
          values.notes.as('notes'),
          values.now.as('created_at'),
          values.now.as('updated_at'),
          ...derived.map((name) => (values[name] as RawBuilder<string>).as(name)),
        ])
        .where('classes.id', '=', values.class_id)
        .where('classes.archived_at', 'is', null),
    )
    .returning('id')
})

/** Why a class takes no student: it is archived, or not there. */
async function refusalOfClass(db: Db, classId: number): Promise<Problem> {
  const found = await db.selectFrom('classes').select('id').where('id', '=', classId).executeTakeFirst()
  return found === undefined ? unknownClass() : archivedClass()
}

export function studentNotFound(): Problem {
  return new Problem('student_not_found', 'There is no student with this id.')
}

/** The same for a class that is out of the caller's scope. */
export function unknownClass(): Problem {
  const detail =
    'must be the id of a class; GET /api/classes lists them, as does the command "./registrar.js class list"'
  return invalidField('/class_id', { code: 'unknown_class', detail })
}

/** A class that takes no new students. */
export function archivedClass(): Problem {
  return invalidField('/class_id', {
    code: 'archived_class',
    detail: 'must be the id of a class that is not archived; GET /api/classes?archived=false lists them',
  })
}

export function admissionNumberTaken(cause: unknown): Problem {
  return new Problem(
    'admission_number_taken',
    'Another student has this admission number; numbers are unique, ignoring case.',
    {
      errors: [{ pointer: '/admission_number', code: 'taken', detail: 'is the number of another student' }],
      cause,
    },
  )
}
