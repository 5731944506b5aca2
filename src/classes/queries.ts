import type { Db, Instant } from '../db/tables.ts'
import { violatesForeignKey, violatesUnique } from '../db/violations.ts'
import type { Author } from '../events/write.ts'
import { ExplainedError } from '../problems.ts'
import { caseless } from '../text/normalise.ts'

/** The longest label, in code points. */
export const maxLabelLength = 100

/** A class that can't be as asked; the message says why. */
export class ClassError extends ExplainedError {
  override readonly name = 'ClassError'
}

export interface ListedClass {
  readonly id: number
  readonly label: string
  /** How many students are in it. */
  readonly students: number
}

/** Every class, in the order of ids, with the number of its students. */
export async function findClasses(db: Db, _caller: Author): Promise<ListedClass[]> {
  return db
    .selectFrom('classes')
    .leftJoin('students', 'students.class_id', 'classes.id')
    .select((q) => ['classes.id', 'classes.label', q.fn.count<number>('students.id').as('students')])
    .groupBy('classes.id')
    .orderBy('classes.id')
    .execute()
}

/**
 * @returns the new class's id
 * @throws ClassError when another class has the label, ignoring case
 */
export async function insertClass(db: Db, _by: Author, label: string, now: Instant): Promise<number> {
  const { id } = await explainTaken(() =>
    db
      .insertInto('classes')
      .values({ label, label_key: caseless(label), created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}

/**
 * Gives a class another label; its students are in it as before. @returns whether there is such a class
 * @throws ClassError when another class has the label, ignoring case
 */
export async function updateClassLabel(
  db: Db,
  _by: Author,
  id: number,
  label: string,
  now: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await explainTaken(() =>
    db
      .updateTable('classes')
      .set((q) => ({ label, label_key: caseless(label), updated_at: now, version: q('version', '+', 1) }))
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )
  return numUpdatedRows > 0n
}

/**
 * Removes a class. @returns whether there was such a class
 * @throws ClassError while students are in it
 */
export async function deleteClass(db: Db, _by: Author, id: number): Promise<boolean> {
  try {
    const { numDeletedRows } = await db.deleteFrom('classes').where('id', '=', id).executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  } catch (error) {
    if (violatesForeignKey(error)) {
      throw new ClassError('The class has students; only an empty class can be removed.', { cause: error })
    }
    throw error
  }
}

async function explainTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (violatesUnique(error, 'classes.label_key')) {
      throw new ClassError('Another class has this label; labels are unique, ignoring case.', {
        cause: error,
      })
    }
    throw error
  }
}
