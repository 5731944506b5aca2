import { sql } from 'kysely'
import type { CallerScopes } from '../access/authority.ts'
import { isInScope } from '../access/scope.ts'
import { prepare } from '../db/prepare.ts'
import { endsWork } from '../db/statement-marks.ts'
import type { Db, Instant } from '../db/tables.ts'
import { violatesForeignKey, violatesUnique } from '../db/violations.ts'
import { type Tx, versionAgain } from '../events/log.ts'
import { hasMetFields, noDefinitions } from '../fields/definitions.ts'
import type { Static } from '../http/json-schema.ts'
import { invalidField, Problem } from '../problems.ts'
import { uniqueKey } from '../text/normalise.ts'
import { detailNames } from './details.ts'
import { studentChange } from './events.ts'
import { storedIdentifiers } from './identifiers.ts'
import { studentColumns } from './lists/columns.ts'
import { derivedColumns, derivedNames } from './lists/lists.ts'
import { admissionNumberTaken, isFree } from './numbers/given-once.ts'
import { definitionsOf, type OwnFields, withFieldsVersion } from './own-fields.ts'
import { type GivenDetails, type StudentRow, type StudentView, storedGuardians, viewOf } from './record.ts'
import type * as schema from './schema.ts'
import { insertSideRows } from './side-tables.ts'

export type ListedStudent = Readonly<Static<typeof schema.ListedStudent>>

export const selectStudents = (db: Pick<Db, 'selectFrom'>) =>
  db.selectFrom('students').innerJoin('classes', 'classes.id', 'students.class_id').select(studentColumns)

/** Students with all that is stored of them, but no version of the school's own fields. */
const selectStored = (db: Pick<Db, 'selectFrom'>) =>
  selectStudents(db).select([
    ...detailNames.map((name) => `students.${name}` as const),
    'students.name_joined',
    'students.identifiers',
    'students.guardians',
    'students.version',
    'students.updated_at',
    'classes.version as class_version',
    'classes.updated_at as class_updated_at',
    'students.own_fields',
  ])

/** Students with all that is stored of them. */
export const selectRecords = (db: Pick<Db, 'selectFrom'>) => withFieldsVersion(selectStored(db))

const selectOneStored = prepare<{ id: number }, StudentRow>((db, { id }) =>
  selectStored(db).where('students.id', '=', id),
)

const selectOne = prepare<{ id: number }, StudentRow>((db, { id }) =>
  selectRecords(db).where('students.id', '=', id),
)

/** Where no fields were met, their version is read for students that have some alone: it costs PostgreSQL a fifth of the read. */
async function findRecord(db: Db, id: number): Promise<StudentRow | undefined> {
  if (!hasMetFields(db)) {
    const [row] = await selectOneStored(db, { id })
    if (row === undefined || row.own_fields === null) return row
  }
  const [row] = await selectOne(db, { id })
  return row
}

/**
 * What the caller sees of a student, on a route whose second permission is `students.sensitive`.
 * @throws Problem student_not_found also for a student of a class that is out of the caller's scope
 */
export async function getStudent(
  db: Db,
  { scope, scopeBesides }: CallerScopes,
  id: number,
): Promise<StudentView> {
  const row = await findRecord(db, id)
  if (row === undefined || !isInScope(scope, row.class_id)) throw studentNotFound()
  const definitions = row.own_fields === null ? noDefinitions : await definitionsOf(db, row)
  return viewOf(row, definitions, isInScope(scopeBesides, row.class_id))
}

/** A student as it is given: of its name at least a part. */
export interface GivenStudent extends GivenDetails {
  readonly name?: string
  readonly admission_number: string
  readonly class_id: number
}

/** A student as it is stored; `name_joined` is 1 where `name` is joined from its parts. */
export interface NewStudent extends GivenStudent {
  readonly name: string
  readonly name_joined?: number
}

/** A new student as the table holds it, but for its own fields. It is made of what is given alone, so before the write. */
export type StoredStudent = ReturnType<typeof storedStudent>

export function storedStudent(db: Db, { fields: _, ...student }: NewStudent) {
  const guardians = storedGuardians(student.guardians)
  const identifiers = storedIdentifiers(student.identifiers)
  const derived = derivedColumns(db, { ...student, identifiers })
  return { ...student, name_joined: student.name_joined ?? 0, guardians, identifiers, ...derived }
}

/**
 * One statement, where no identifiers, guardians or own fields are given: no row comes of it when no class takes the
 * student, or the number is taken.
 * @param isLast whether the work does nothing after this
 * @returns the new student's id
 * @throws Problem validation_failed when there is no such class or it is archived, admission_number_taken, or
 * identifier_taken
 */
export async function insertStudent(
  tx: Tx,
  student: NewStudent,
  now: Instant,
  own?: OwnFields,
  isLast = false,
): Promise<number> {
  const stored = storedStudent(tx, student)
  const { guardians, identifiers } = stored
  const own_fields = own?.stored ?? null
  const row = { ...noDetails, ...stored, own_fields, created_at: now, updated_at: now }
  try {
    const creation = studentChange({ before: {}, after: row }, now, own)
    const hasSideRows = own !== undefined || guardians !== null || identifiers !== null
    const insert = (ends: boolean) => (ends ? insertLastIntoClass(tx, row) : insertIntoClass(tx, row))
    const id = await tx.insertRecord('students', creation, insert, isLast && !hasSideRows)
    if (id === undefined) throw await refusalOf(tx, student.class_id)
    await insertSideRows(tx, [{ id, guardians, identifiers, own }])
    return id
  } catch (error) {
    if (violatesUnique(error, 'students.admission_key')) throw admissionNumberTaken(error)
    throw violatesForeignKey(error) ? unknownClass() : error
  }
}

/**
 * Makes a student anew whose creation was undone, under its id.
 * @param values as the log has them
 * @throws Problem admission_number_taken or identifier_taken
 */
export async function restoreStudent(
  tx: Tx,
  id: number,
  values: Readonly<Record<string, unknown>>,
  now: Instant,
  own?: OwnFields,
): Promise<void> {
  const stored = storedStudent(tx, values as unknown as NewStudent)
  const { guardians, identifiers } = stored
  const row = { ...stored, own_fields: own?.stored ?? null }
  const version = await versionAgain(tx, 'student', id)
  try {
    await tx
      .insertInto('students')
      .values({ id, version, ...row, created_at: now, updated_at: now } as never)
      .execute()
  } catch (error) {
    throw violatesUnique(error, 'students.admission_key') ? admissionNumberTaken(error) : error
  }
  await insertSideRows(tx, [{ id, guardians, identifiers, own }])
  tx.record({ ...studentChange({ before: {}, after: row }, now, own), id, action: 'created' })
}

/** The student that has this admission number, or had it for good. */
export async function findNumberHolder(db: Db, admissionNumber: string): Promise<number | undefined> {
  const key = uniqueKey(admissionNumber)
  const found = await db
    .selectFrom('students')
    .select('id')
    .where('admission_key', '=', key)
    .executeTakeFirst()
  if (found !== undefined) return found.id
  const former = await db
    .selectFrom('former_numbers')
    .select('student_id')
    .where('admission_key', '=', key)
    .executeTakeFirst()
  return former?.student_id
}

const noDetails = Object.fromEntries(detailNames.map((name) => [name, null]))

type InsertedValues = Readonly<Record<string, string | number | null>>

const insertion = (prefix: string) =>
  prepare<InsertedValues, { id: number }>((db, values) => {
    const texts = ['name', 'name_joined', 'admission_number', ...detailNames]
    const given = [...texts, 'identifiers', 'guardians', 'own_fields', 'created_at', 'updated_at']
    const columns = [...given, ...derivedNames(db)]
    const insert = sql<{ id: number }>`
    insert into students (class_id, ${sql.join(columns.map((name) => sql.ref(name)))})
    select id, ${sql.join(columns.map((name) => values[name]))}
    from classes where id = ${values.class_id} and archived_at is null
      and ${isFree(values.admission_key!, 0)} returning id`
    return { compile: () => insert.compile(db) }
  }, prefix)

const insertIntoClass = insertion('')
const insertLastIntoClass = insertion(endsWork)

/** Why a class takes no student: it is not there, or archived; else the number is another student's. */
export async function refusalOf(db: Db, classId: number): Promise<Problem> {
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
