import { isOneOf } from '../db/is-one-of.ts'
import type { Db, Instant } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'

/* Pairs of students who look like one child, and whom somebody knows to be two. */

/** Every pair that is settled. */
export function selectSettled(db: Pick<Db, 'selectFrom'>) {
  return db.selectFrom('settled_pairs').select(['low_id', 'high_id'])
}

/** Whether two students are known to be two children. */
export async function isSettled(db: Db, one: number, other: number): Promise<boolean> {
  const { low_id, high_id } = pairOf(one, other)
  const settled = selectSettled(db).where('low_id', '=', low_id).where('high_id', '=', high_id)
  return (await settled.executeTakeFirst()) !== undefined
}

/**
 * Remembers that two students are two children.
 * @param by the account that says so, kept beside the pair though the log tells it too; null: a command
 */
export async function settlePair(
  tx: Tx,
  one: number,
  other: number,
  by: number | null,
  now: Instant,
): Promise<void> {
  const pair = pairOf(one, other)
  const { numInsertedOrUpdatedRows: settled } = await tx
    .insertInto('settled_pairs')
    .values({ ...pair, settled_by: by, settled_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (settled === 0n) return
  const fields = { other: [null, pair.high_id], different: [false, true] } as const
  tx.record({ record: 'double', id: pair.low_id, action: 'created', at: now, fields })
}

/** Forgets that. */
export async function forgetPair(tx: Tx, one: number, other: number, now: Instant): Promise<void> {
  const { low_id, high_id } = pairOf(one, other)
  const { numDeletedRows: forgotten } = await tx
    .deleteFrom('settled_pairs')
    .where('low_id', '=', low_id)
    .where('high_id', '=', high_id)
    .executeTakeFirstOrThrow()
  if (forgotten === 0n) return
  const fields = { other: [high_id, null], different: [true, false] } as const
  tx.record({ record: 'double', id: low_id, action: 'removed', at: now, fields })
}

/** Forgets all that is settled of students who go. */
export async function forgetPairsOfAll(tx: Tx, ids: readonly number[], now: Instant): Promise<void> {
  const pairs = await selectSettled(tx)
    .where((q) => q.or([isOneOf(tx, 'low_id', ids), isOneOf(tx, 'high_id', ids)]))
    .orderBy('low_id')
    .orderBy('high_id')
    .execute()
  for (const { low_id, high_id } of pairs) await forgetPair(tx, low_id, high_id, now)
}

function pairOf(one: number, other: number) {
  return { low_id: Math.min(one, other), high_id: Math.max(one, other) }
}
