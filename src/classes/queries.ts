import { type ExpressionBuilder, sql } from 'kysely'
import { isInScope, type Scope } from '../access/scope.ts'
import { engineOf } from '../db/engine.ts'
import type { Db, Instant, Tables } from '../db/tables.ts'
import type { Author } from '../events/write.ts'

/** Who asks for classes: a caller, who sees those in the scope of the route's permission, or a command, which sees all. */
export interface ClassAuthor extends Author {
  readonly admission?: { readonly scope: Scope }
}

/** The classes that are there for who asks. */
export function classesOf({ admission }: ClassAuthor): Scope {
  return admission ? admission.scope : 'all'
}

export interface ListedClass {
  readonly id: number
  readonly label: string
  /** Where it stands among the others; those alike, by id. */
  readonly position: number
  /** Whether it takes no new students. */
  readonly archived: boolean
  /** How many students are in it. */
  readonly students: number
  readonly version: number
}

/** A class as its columns have it, and its students as triggers count them. */
export const classColumns = (q: ExpressionBuilder<Tables, 'classes'>) =>
  [
    'classes.id',
    'classes.label',
    'classes.position',
    'classes.archived_at',
    'classes.version',
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
}: Omit<ListedClass, 'archived'> & { readonly archived_at: Instant | null }): ListedClass {
  return { id, label, position, archived: archived_at !== null, students, version }
}

/** Every class, in the order in which they are shown. */
export async function findClasses(db: Db, _by: Author): Promise<ListedClass[]> {
  const rows = await db.selectFrom('classes').select(classColumns).orderBy('position').orderBy('id').execute()
  return rows.map(toClass)
}

/** @returns undefined also for a class that is out of the caller's scope */
export async function findClass(db: Db, by: ClassAuthor, id: number): Promise<ListedClass | undefined> {
  if (!isInScope(classesOf(by), id)) return undefined
  const row = await db
    .selectFrom('classes')
    .select(classColumns)
    .where('classes.id', '=', id)
    .executeTakeFirst()
  return row && toClass(row)
}

/**
 * A class as it stands, which nobody else changes until the write ends.
 * @returns undefined as `findClass` does
 */
export async function findClassToChange(
  db: Db,
  by: ClassAuthor,
  id: number,
): Promise<ListedClass | undefined> {
  // On SQLite there is one write at a time.
  if (engineOf(db) === 'postgres')
    await db.selectFrom('classes').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  return findClass(db, by, id)
}
