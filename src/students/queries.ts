import { sql } from 'kysely'
import type { Caller } from '../access/authority.ts'
import { isInScope } from '../access/scope.ts'
import { prepare } from '../db/prepare.ts'
import type { Db, Instant } from '../db/tables.ts'
import { violatesForeignKey, violatesUnique } from '../db/violations.ts'
import { invalidField, Problem } from '../problems.ts'
import { detailNames } from './details.ts'
import { studentColumns } from './lists/columns.ts'
import { derivedNames, type StudentLists } from './lists/lists.ts'
import { admissionNumberTaken, isFree } from './numbers/given-once.ts'
import { type GivenDetails, type StudentRow, type StudentView, storedGuardians, viewOf } from './record.ts'

export interface ListedStudent {
  readonly id: number
  readonly name: string
  readonly admission_number: string
  readonly class_id: number
  readonly class: string
}

export const selectStudents = (db: Pick<Db, 'selectFrom'>) =>
  db.selectFrom('students').innerJoin('classes', 'classes.id', 'students.class_id').select(studentColumns)

/** Students with all that is stored of them. */
export const selectRecords = (db: Pick<Db, 'selectFrom'>) =>
  selectStudents(db).select([
    ...detailNames.map((name) => `students.${name}` as const),
    'students.guardians',
    'students.version',
    'students.updated_at',
    'classes.version as class_version',
    'classes.updated_at as class_updated_at',
  ])

const selectRecord = prepare<{ id: number }, StudentRow>((db, { id }) =>
  selectRecords(db).where('students.id', '=', id),
)

/**
 * What the caller sees of a student, on a route whose second permission is `students.sensitive`.
 * @throws Problem student_not_found also for a student of a class that is out of the caller's scope
 */
export async function getStudent(
  db: Db,
  { scope, scopeBesides }: Pick<Caller, 'scope' | 'scopeBesides'>,
  id: number,
): Promise<StudentView> {
  const [row] = await selectRecord(db, { id })
  if (row === undefined || !isInScope(scope, row.class_id)) throw studentNotFound()
  return viewOf(row, isInScope(scopeBesides, row.class_id))
}

export interface NewStudent extends GivenDetails {
  readonly name: string
  readonly admission_number: string
  readonly class_id: number
}

/**
 * One statement: no row comes of it when no class takes the student, or the number is taken.
 * @returns the new student's id
 * @throws Problem validation_failed when there is no such class or it is archived, or admission_number_taken
 */
export async function insertStudent(
  db: Db,
  lists: Pick<StudentLists, 'derived'>,
  student: NewStudent,
  now: Instant,
): Promise<number> {
  const row = {
    ...noDetails,
    ...student,
    guardians: storedGuardians(student.guardians),
    ...lists.derived(student),
    created_at: now,
    updated_at: now,
  }
  try {
    const [inserted] = await insertIntoClass(db, row)
    if (inserted === undefined) throw await refusalOf(db, student.class_id)
    return inserted.id
  } catch (error) {
    if (violatesUnique(error, 'students.admission_key')) throw admissionNumberTaken(error)
    throw violatesForeignKey(error) ? unknownClass() : error
  }
}

const noDetails = Object.fromEntries(detailNames.map((name) => [name, null]))

const insertIntoClass = prepare<Readonly<Record<string, string | number | null>>, { id: number }>(
  (db, values) => {
    const given = ['name', 'admission_number', ...detailNames, 'guardians', 'created_at', 'updated_at']
    const columns = [...given, ...derivedNames(db)]
    const insert = sql<{ id: number }>`
    insert into students (class_id, ${sql.join(columns.map((name) => sql.ref(name)))})
    select id, ${sql.join(columns.map((name) => values[name]))}
    from classes where id = ${values.class_id} and archived_at is null
      and ${isFree(values.admission_key!, 0)} returning id`
    return { compile: () => insert.compile(db) }
  },
)

/** Why a class takes no student: it is not there, or archived; else the number is another student's. */
async function refusalOf(db: Db, classId: number): Promise<Problem> {
  const found = await db
    .selectFrom('classes')
    .select('archived_at')
    .where('id', '=', classId)
    .executeTakeFirst()
  if (found === undefined) return unknownClass()
  return found.archived_at === null ? admissionNumberTaken() : archivedClass()
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
