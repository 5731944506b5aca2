import { type ExpressionBuilder, sql } from 'kysely'
import { isInScope, type Scope } from '../access/scope.ts'
import { engineOf } from '../db/engine.ts'
import { isOneOf } from '../db/is-one-of.ts'
import { lockRow } from '../db/row-locks.ts'
import type { Db, Instant, Tables } from '../db/tables.ts'
import { Problem } from '../problems.ts'

export interface ListedClass {
  readonly id: number
  readonly label: string
  /** Its place among the others. Classes with the same position are ordered by id. */
  readonly position: number
  /** Whether it takes no new students. */
  readonly archived: boolean
  /** How many students are in it: it changes with these, and is no part of the version. */
  readonly students: number
  readonly version: number
  readonly updated_at: Instant
}

/** A class as its columns have it, with the number of students as triggers count them. */
export const classColumns = (q: ExpressionBuilder<Tables, 'classes'>) =>
  [
    'classes.id',
    'classes.label',
    'classes.position',
    'classes.archived_at',
    'classes.version',
    'classes.updated_at',
    q
      .selectFrom('class_counts')
      .select(sql<number>`cast(coalesce(sum(students), 0) as bigint)`.as('students'))
      .whereRef('class_counts.class_id', '=', 'classes.id')
      .$asScalar()
      .$notNull()
      .as('students'),
  ] as const

/** A row of `classColumns` as it is shown. */
export function toClass({
  id,
  label,
  position,
  archived_at,
  students,
  version,
  updated_at,
}: Omit<ListedClass, 'archived'> & { readonly archived_at: Instant | null }): ListedClass {
  return { id, label, position, archived: archived_at !== null, students, version, updated_at }
}

/** Every class, in the order in which they are shown. */
export async function findClasses(db: Db): Promise<ListedClass[]> {
  const rows = await db.selectFrom('classes').select(classColumns).orderBy('position').orderBy('id').execute()
  return rows.map(toClass)
}

/** @returns undefined also for a class that is out of the scope */
export async function findClass(db: Db, id: number, scope: Scope): Promise<ListedClass | undefined> {
  if (!isInScope(scope, id)) return undefined
  const row = await db
    .selectFrom('classes')
    .select(classColumns)
    .where('classes.id', '=', id)
    .executeTakeFirst()
  return row && toClass(row)
}

/** @throws Problem class_not_found, also for a class that is out of the scope */
export async function getClass(db: Db, id: number, scope: Scope): Promise<ListedClass> {
  const found = await findClass(db, id, scope)
  if (found !== undefined) return found
  throw new Problem('class_not_found', 'There is no class with this id; GET /api/classes lists the classes.')
}

/** Lets nobody else change a class until the write ends. */
export async function lockClass(db: Db, id: number): Promise<void> {
  await lockRow(db, 'classes', id)
}

/** Which of these classes take students, and do so until the write ends. */
export async function openClasses(db: Db, ids: Iterable<number>): Promise<Set<number>> {
  const asked = [...new Set(ids)].sort((a, b) => a - b)
  if (asked.length === 0) return new Set()
  const open = db
    .selectFrom('classes')
    .select('id')
    .where(isOneOf(db, 'id', asked))
    .where('archived_at', 'is', null)
    .orderBy('id')
  const found = await (engineOf(db) === 'postgres' ? open.forShare() : open).execute()
  return new Set(found.map(({ id }) => id))
}
