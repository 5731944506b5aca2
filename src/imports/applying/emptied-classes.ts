import { isOneOf } from '../../db/is-one-of.ts'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import { classesMadeBy } from './make-classes.ts'

/*
 * A class stays that has or had students. One that an import made goes with the undo of that, if nobody else's change
 * put a student there, or each that did was taken back.
 */

/**
 * The classes that an import made and that no other change is about, but for those that were taken back; it reads much,
 * so it is called before the write. An undo puts nobody where no other change had.
 */
export async function classesOfNobodyElse(db: Db, changeSet: number): Promise<number[]> {
  const ids = (await classesMadeBy(db, changeSet)).map(({ id }) => id)
  if (ids.length === 0) return []
  const query = db
    .selectFrom('events')
    .innerJoin('change_sets', 'change_sets.id', 'events.change_set_id')
    .select('belongs_to')
    .distinct()
    .where('change_set_id', '>', changeSet)
    .where('undone_by', 'is', null)
    .where('undoes', 'is', null)
    .where(isOneOf(db, 'belongs_to', ids))
  const used = await rowsBeside(db, query)
  return ids.filter((id) => !used.some(({ belongs_to }) => Number(belongs_to) === id))
}

/** Forgets that these classes had students, where they have none. */
export async function forgetCounts(db: Db, classIds: readonly number[]): Promise<void> {
  if (classIds.length === 0) return
  await db
    .deleteFrom('class_counts')
    .where(isOneOf(db, 'class_id', classIds))
    .where((q) =>
      q.not(
        q.exists(
          q
            .selectFrom('students')
            .select('students.id')
            .whereRef('students.class_id', '=', 'class_counts.class_id'),
        ),
      ),
    )
    .execute()
}
