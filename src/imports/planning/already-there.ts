import type { Authority } from '../../access/authority.ts'
import { isInScope } from '../../access/scope.ts'
import { isOneOfTexts } from '../../db/is-one-of.ts'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import { sensitiveScopeOf } from './basis.ts'

/** A child by what tells it apart from others. */
export interface NamedChild {
  /** As `fold` makes it. */
  readonly foldedName: string
  readonly dateOfBirth: string
}

/** How many children are looked for at most: most files have few, or all of them. */
const mostLookedFor = 500

/**
 * Counts how many of these children are students, by name and date of birth, of whom the account may see both. Of very
 * many children only the first are looked for.
 */
export async function countThere(
  db: Db,
  authority: Authority,
  children: readonly NamedChild[],
): Promise<number> {
  const some = children.slice(0, mostLookedFor)
  if (some.length === 0) return 0
  const dates = some.map(({ dateOfBirth }) => dateOfBirth)
  const names = some.map(({ foldedName }) => foldedName)
  const query = db
    .selectFrom('students')
    .select(['folded_name', 'date_of_birth', 'class_id'])
    .where(isOneOfTexts(db, 'date_of_birth', [...new Set(dates)]))
    .where(isOneOfTexts(db, 'folded_name', [...new Set(names)]))
  const found = await rowsBeside(db, query)
  const scope = sensitiveScopeOf(authority)
  const seen = found.filter(({ class_id }) => isInScope(scope, class_id))
  const there = new Set(seen.map(({ folded_name, date_of_birth }) => `${date_of_birth} ${folded_name}`))
  return some.filter((one) => there.has(`${one.dateOfBirth} ${one.foldedName}`)).length
}
