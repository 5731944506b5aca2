import { sql } from 'kysely'
import { deletePortion } from '../db/portions.ts'
import { prepare } from '../db/prepare.ts'
import type { Db, Instant } from '../db/tables.ts'
import { instantAfter } from './clock.ts'
import { keyedHash } from './platform.ts'

/*
 * The pairs of account and client that have logged in, as keyed hashes. Who guesses from the address of a school,
 * or at one account from everywhere, does not shut these out.
 */

const memoryMs = 90 * 24 * 3_600_000
const maxOfAccount = 20

/** @param pair the account's e-mail address and the client, as the throttle joins them */
export function pairHashOf(db: Db, pair: string): Promise<Uint8Array> {
  return keyedHash(db, `login pair\n${pair}`)
}

const selectPair = prepare<{ hash: Uint8Array; since: Instant }, { used_at: Instant }>(
  (db, { hash, since }) =>
    db.selectFrom('login_pairs').select('used_at').where('hash', '=', hash).where('used_at', '>', since),
)

/** Whether the pair has logged in within 90 days. One look into one index, whether or not the account exists. */
export async function isKnownPair(db: Db, hash: Uint8Array, now: Date): Promise<boolean> {
  return (await selectPair(db, { hash, since: instantAfter(now, -memoryMs) })).length > 0
}

/** Remembers a pair that has just logged in; of an account's pairs the one longest unused makes room. */
export async function rememberPair(
  db: Db,
  { pairHash, isKnown }: { readonly pairHash: Uint8Array; readonly isKnown: boolean },
  userId: number,
  now: Date,
): Promise<void> {
  const used_at = now.toISOString()
  await db
    .insertInto('login_pairs')
    .values({ hash: pairHash, user_id: userId, used_at })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ user_id: userId, used_at }))
    .execute()
  if (isKnown) return
  await db
    .deleteFrom('login_pairs')
    .where('hash', 'in', (q) =>
      q
        .selectFrom('login_pairs')
        .select('hash')
        .where('user_id', '=', userId)
        .orderBy('used_at', 'desc')
        .orderBy('hash')
        .limit(1_000)
        .offset(maxOfAccount),
    )
    .execute()
}

/** Forgets the pairs of accounts: their e-mail address is another one, or they are removed. */
export async function deletePairsOf(db: Db, userIds: readonly number[]): Promise<void> {
  await db.deleteFrom('login_pairs').where('user_id', 'in', userIds).execute()
}

/** Removes pairs that were not used for 90 days, or by a wrong clock, as `deletePortion` does. */
export function deleteOldPairs(db: Db, now: Date): Promise<boolean> {
  const [first, last] = [instantAfter(now, -memoryMs), instantAfter(now, memoryMs)]
  return deletePortion(db, 'login_pairs', 'hash', sql`used_at <= ${first} or used_at > ${last}`)
}
