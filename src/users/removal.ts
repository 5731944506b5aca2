import { instantAfter } from '../access/clock.ts'
import { deletePairsOf } from '../access/known-pairs.ts'
import { lockPlatform } from '../access/platform.ts'
import { engineOf } from '../db/engine.ts'
import { countOf } from '../db/pages.ts'
import type { Db, Instant } from '../db/tables.ts'
import { eraseSecrets, type Tx } from '../events/log.ts'
import { Problem } from '../problems.ts'

/** How long an account that was never granted anything stays without a login. */
export const idleDays = 30
const removedAtATime = 100

/**
 * Removes an account that was never granted anything, with its sessions.
 * @throws Problem user_in_use for any other account
 */
export async function removeUser(tx: Tx, id: number, now: Instant): Promise<void> {
  await lockPlatform(tx) // nobody is granted anything meanwhile
  if ((await lockUsers(tx, neverGranted(tx).where('id', '=', id))).length === 0) {
    throw new Problem(
      'user_in_use',
      'The account holds or held a role, so it stays. Disable it instead: PATCH /api/users/{id} with disabled true, or ./registrar.js user disable EMAIL.',
    )
  }
  await deleteUsers(tx, [id], now)
}

/**
 * Removes at most a hundred idle accounts that were never granted anything. Disabled ones stay, because an
 * administrator decided that.
 * @returns whether there may be more
 */
export async function deleteIdleUsers(tx: Tx, now: Date): Promise<boolean> {
  await lockPlatform(tx)
  const idle = neverGranted(tx)
    .where('disabled_at', 'is', null)
    .where('idle_since', '<=', instantAfter(now, -idleDays * 24 * 3_600_000))
    .orderBy('idle_since')
    .limit(removedAtATime)
  const ids = await lockUsers(tx, idle)
  if (ids.length > 0) await deleteUsers(tx, ids, now.toISOString())
  return ids.length === removedAtATime
}

/** How many accounts were never granted anything. */
export function countNeverGranted(db: Db): Promise<number> {
  return countOf(neverGranted(db))
}

/** That count in words, for the log and for `check`. */
export function neverGrantedText(accounts: number): string {
  const [subject, pronoun] =
    accounts === 1 ? ['1 account was', 'it goes'] : [`${accounts} accounts were`, 'they go']
  return `${subject} never granted a role; ${pronoun} after ${idleDays} days without a login`
}

/** An instance of an older version may have granted a role without noting it, so roles that are held count too. */
function neverGranted(db: Db) {
  return db
    .selectFrom('users')
    .select('users.id')
    .where('granted_at', 'is', null)
    .where((q) =>
      q.not(
        q.exists(
          q.selectFrom('user_roles').select('role_id').whereRef('user_roles.user_id', '=', 'users.id'),
        ),
      ),
    )
}

/** Locks the rows until the transaction ends: a login in progress has ended by then, or is refused. */
async function lockUsers(db: Db, chosen: ReturnType<typeof neverGranted>): Promise<number[]> {
  const rows = await (engineOf(db) === 'postgres' ? chosen.forUpdate() : chosen).execute()
  return rows.map(({ id }) => id)
}

/** What the log holds of their names and addresses goes with them. */
async function deleteUsers(tx: Tx, ids: readonly number[], now: Instant): Promise<void> {
  await eraseSecrets(tx, 'account', ids)
  for (const id of ids) tx.record({ record: 'account', id, action: 'removed', at: now, fields: {} })
  await deletePairsOf(tx, ids)
  await tx.deleteFrom('sessions').where('user_id', 'in', ids).execute()
  await tx.deleteFrom('idempotency_keys').where('user_id', 'in', ids).execute()
  await tx.deleteFrom('users').where('id', 'in', ids).execute()
}
