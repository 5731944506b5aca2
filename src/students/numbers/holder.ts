import { type Caller, getAuthority } from '../../access/authority.ts'
import { isInScope } from '../../access/scope.ts'
import type { Db } from '../../db/tables.ts'
import { type Holder, Problem } from '../../problems.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { selectStudents } from '../queries.ts'
import { admissionNumberTaken } from './given-once.ts'

/** Who has an admission number, or had it: one student at most. */
async function findHolder(db: Db, admissionNumber: string): Promise<Holder | undefined> {
  const key = uniqueKey(admissionNumber)
  const shown = (db: Db) => selectStudents(db).clearSelect().select(holderColumns)
  const holder = await shown(db).where('admission_key', '=', key).executeTakeFirst()
  if (holder !== undefined) return holder
  const former = await shown(db)
    .where('students.id', '=', (q) =>
      q.selectFrom('former_numbers').select('student_id').where('former_numbers.admission_key', '=', key),
    )
    .executeTakeFirst()
  return former && { ...former, former: true }
}

const holderColumns = ['students.id', 'students.name', 'students.class_id', 'classes.label as class'] as const

/**
 * Runs a write that gives a number. Where it is refused as another student's, the refusal names that student, if the
 * caller may see them. They are looked for when the write has ended: on PostgreSQL a failed one reads nothing more.
 * @throws whatever the write throws
 */
export async function tellHolder<Result>(
  db: Db,
  { userId }: Caller,
  admissionNumber: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isTaken = error instanceof Problem && error.code === 'admission_number_taken'
    if (!isTaken || admissionNumber === undefined) throw error
    const authority = await getAuthority(db, userId)
    const holder = await findHolder(db, admissionNumber)
    const isSeen = holder && isInScope(authority.scopeOf('students.view'), holder.class_id)
    throw isSeen ? admissionNumberTaken(error.cause, holder) : error
  }
}
