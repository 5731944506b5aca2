import { sql } from 'kysely'
import type { Authority } from '../access/authority.ts'
import type { Scope } from '../access/scope.ts'
import { bytewise } from '../db/engine.ts'
import { isOneOf } from '../db/is-one-of.ts'
import type { Db } from '../db/tables.ts'
import { Problem } from '../problems.ts'
import { fold } from '../text/search-words.ts'
import { writtenAs } from './doubles/turned-names.ts'
import type { NewStudent } from './queries.ts'

/** How many ids a refusal tells. */
const atMost = 100

/**
 * Whether one that is to be created may be there already: there is a student with its folded name, whichever of its parts
 * stands first, and its date of birth. Where no date is given, with that name in its class. Only those count whom the
 * caller may see, and by a date only those whose date the caller may see. Of two that are created at once, neither finds
 * the other.
 * @param others students who are known to be other children
 * @throws Problem possible_duplicate
 */
export async function checkNoDoubles(
  db: Db,
  authority: Authority,
  student: NewStudent,
  others: readonly number[],
): Promise<void> {
  const found = selectDoubles(db, authority, student)
  const rows = await (others.length > 0 ? found?.where('id', 'not in', others) : found)?.execute()
  if (rows === undefined || rows.length === 0) return
  throw new Problem(
    'possible_duplicate',
    'A student with this name, and this date of birth or class, is there already; ids lists who. If it is somebody else, send it with these ids in the parameter other_than.',
    { ids: rows.map(({ id }) => id) },
  )
}

/** @returns undefined where the caller may see nobody */
export function selectDoubles(
  db: Db,
  authority: Authority,
  { name, date_of_birth: dateOfBirth, class_id: classId }: NewStudent,
) {
  const hasDate = dateOfBirth !== undefined && dateOfBirth !== null
  // By the name's index: few have the name, and a class has many. What is added to a column hides its own index.
  let doubles = db
    .selectFrom('students')
    .select('id')
    .where(sql<boolean>`folded_name ${bytewise(db)} in (${sql.join(writtenAs(fold(name)))})`)
    .where(
      hasDate ? sql<boolean>`date_of_birth || '' = ${dateOfBirth}` : sql<boolean>`class_id + 0 = ${classId}`,
    )
    .orderBy(sql`id + 0`)
    .limit(atMost)
  const scopes: (Scope | undefined)[] = [authority.scopeOf('students.view')]
  if (hasDate) scopes.push(authority.scopeOf('students.sensitive'))
  for (const scope of scopes) {
    if (scope === undefined || scope.length === 0) return undefined
    if (scope !== 'all') doubles = doubles.where(isOneOf(db, 'class_id', scope))
  }
  return doubles
}
