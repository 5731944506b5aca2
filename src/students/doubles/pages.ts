import type { CallerScopes } from '../../access/authority.ts'
import type { Scope } from '../../access/scope.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import type { Page, PageRequest } from '../../db/pages.ts'
import { rowsAside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import { type ListedStudent, selectStudents } from '../queries.ts'
import { type FoundPairs, type Pair, type PairTest, pairsThat, type Reason } from './pairs.ts'

/** Two students who may be one child, the lower id first. */
export interface Double {
  readonly students: ListedStudent[]
  readonly reason: Reason
}

/** One page of the pairs whom the caller may see and nobody settled, in the order of ids; and the exact total. */
export async function pageOfDoubles(
  db: Db,
  pairs: FoundPairs,
  seeing: CallerScopes,
  { page, perPage }: PageRequest,
): Promise<Page<Double>> {
  const isSettled = await settledPairs(db)
  const isSeen = seenBy(seeing)
  const isTold: PairTest = (low, high, lowClass, highClass, reason) =>
    isSeen(lowClass, highClass, reason) && !isSettled(low, high)
  const told = pairsThat(pairs, isTold, { from: (page - 1) * perPage, to: page * perPage })
  return { items: await shown(db, told.items, seeing), total: told.total }
}

/** Pairs by dates of birth are for those who may see the dates of both. */
function seenBy({ scope, scopeBesides }: CallerScopes) {
  const [views, seesDates] = [has(scope), has(scopeBesides)]
  return (lowClass: number, highClass: number, reason: Reason) => {
    if (!views(lowClass) || !views(highClass)) return false
    return reason === 'same_name_and_class' || (seesDates(lowClass) && seesDates(highClass))
  }
}

/** Looks a class up at once: there may be very many pairs. */
function has(scope: Scope): (classId: number) => boolean {
  if (scope === 'all') return () => true
  const ids = new Set(scope)
  return (classId) => ids.has(classId)
}

async function settledPairs(db: Db): Promise<(low: number, high: number) => boolean> {
  type SettledPair = readonly [low: number, high: number]
  const rows = await rowsAside<SettledPair>(db, ['low_id', 'high_id'], 'from settled_pairs')
  const settled = new Map<number, Set<number>>()
  for (const [low, high] of rows) settled.set(low, (settled.get(low) ?? new Set()).add(high))
  return (low, high) => settled.get(low)?.has(high) ?? false
}

/** The pairs as they are now. One of a student who was moved out of sight since it was found is left out. */
async function shown(db: Db, pairs: readonly Pair[], seeing: CallerScopes): Promise<Double[]> {
  if (pairs.length === 0) return []
  const ids = [...new Set(pairs.flatMap(({ low, high }) => [low, high]))]
  const rows = await selectStudents(db)
    .where(isOneOf(db, 'students.id', ids))
    .execute()
  const students = new Map(rows.map((student) => [student.id, student]))
  const isSeen = seenBy(seeing)
  return pairs.flatMap(({ low, high, reason }) => {
    const [one, other] = [students.get(low), students.get(high)]
    if (one === undefined || other === undefined) return []
    return isSeen(one.class_id, other.class_id, reason) ? [{ students: [one, other], reason }] : []
  })
}
