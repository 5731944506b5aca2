import { sql } from 'kysely'
import type { Authority } from '../access/authority.ts'
import type { Scope } from '../access/scope.ts'
import { engineOf } from '../db/engine.ts'
import type { Db } from '../db/tables.ts'
import { Problem } from '../problems.ts'
import { fold } from '../text/fold.ts'
import { isOneOf } from './counts.ts'
import type { NewStudent } from './queries.ts'

/** How many ids a refusal tells. */
const atMost = 100

/**
 * The students that may be the same as one that is to be created: with its folded name and its date of birth,
 * or, where no date is given, with its folded name in its class. Only those count whom the caller may see, and
 * by a date only those whose date the caller may see. Of two that are created at once, neither finds the other.
 */
export async function findDoubles(
  db: Db,
  authority: Authority,
  { name, date_of_birth: dateOfBirth, class_id: classId }: NewStudent,
): Promise<number[]> {
  const hasDate = dateOfBirth !== undefined && dateOfBirth !== null
  const engine = engineOf(db)
  const bytewise = engine === 'postgres' ? sql`collate "C"` : sql`` // as the index on the name has it
  let doubles = db
    .selectFrom('students')
    .select('id')
    .where(sql<boolean>`folded_name ${bytewise} = ${fold(name)}`)
    .where(hasDate ? 'date_of_birth' : 'class_id', '=', hasDate ? dateOfBirth : classId)
    .orderBy('id')
    .limit(atMost)
  const scopes: (Scope | undefined)[] = [authority.scopeOf('students.view')]
  if (hasDate) scopes.push(authority.scopeOf('students.sensitive'))
  for (const scope of scopes) {
    if (scope === undefined || scope.length === 0) return []
    if (scope !== 'all') doubles = doubles.where(isOneOf(engine, 'class_id', sql`${scope.join()}`))
  }
  return (await doubles.execute()).map(({ id }) => id)
}

/** A creation that was asked to be refused when the student may be there already. */
export function possibleDuplicate(ids: readonly number[]): Problem {
  return new Problem(
    'possible_duplicate',
    'A student with this name, and this date of birth or class, is there already; ids lists who. Send it without duplicates=refuse if it is somebody else.',
    { ids },
  )
}
