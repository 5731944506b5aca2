import { type Authority, type Caller, exceedsOwnPermissions, getAuthority } from '../access/authority.ts'
import { deletePairsOf } from '../access/known-pairs.ts'
import { keepAnAdministrator, lockPlatform } from '../access/platform.ts'
import { deleteSessionsOf } from '../access/sessions.ts'
import { engineOf } from '../db/engine.ts'
import type { Db, Instant } from '../db/tables.ts'
import { write } from '../events/write.ts'
import type { Precondition } from '../http/conditions.ts'
import { invalidField, Problem } from '../problems.ts'
import { type Account, getAccount } from './accounts.ts'
import { updateUser } from './queries.ts'

/** An account that is about to be changed, and what the one who changes it may do. */
export interface AccountChange {
  readonly caller: Caller
  readonly authority: Authority
  readonly account: Account
  /** Whether the caller has shown that it knows its own password. */
  readonly isProved?: boolean
}

/**
 * An administrative write that changes an account; such writes are made in turn.
 * @param precondition which version is meant, where the request must say so
 * @throws Problem as `write` and `work` do, user_not_found or precondition_failed
 */
export function writeAccount<Result>(
  db: Db,
  caller: Caller,
  id: number,
  precondition: Precondition | undefined,
  work: (db: Db, change: AccountChange) => Promise<Result>,
): Promise<Result> {
  const change = async (db: Db, authority: Authority) => {
    const { account, tag } = await getAccount(db, caller, id)
    precondition?.check(tag)
    return work(db, { caller, authority, account })
  }
  return write(db, caller, change, async (db) => {
    await lockPlatform(db)
    // A change that its owner makes does not wait for administrators. On SQLite there is one write at a time.
    if (engineOf(db) === 'postgres')
      await db.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  })
}

/** An account after its change, as the answer shows it: without `users.view`, the id alone. */
export async function changedAccount(
  db: Db,
  { caller, authority, account: { id } }: AccountChange,
): Promise<{ account: Pick<Account, 'id'> | Account; tag: string }> {
  const { account, tag } = await getAccount(db, caller, id)
  return { account: authority.scopeOf('users.view') === undefined ? { id } : account, tag }
}

/**
 * Who could log in as an account, or take from it what it may do, must hold all that it holds.
 * @throws Problem exceeds_own_permissions
 */
export async function requireAuthorityOver(
  db: Db,
  { authority, account }: Pick<AccountChange, 'authority' | 'account'>,
): Promise<void> {
  if (authority.covers(await getAuthority(db, account.id))) return
  throw exceedsOwnPermissions(
    'This account holds permissions, or holds them for classes, that you do not hold; who holds them all can do this. You may rename it.',
  )
}

/** What of an account is to be otherwise. */
export interface AccountPatch {
  readonly name?: string
  readonly email?: string
  readonly disabled?: boolean
}

/**
 * Changes an account; what is asked for and is so already, changes nothing. Disabling ends its sessions.
 * @throws Problem exceeds_own_permissions, own_account, last_administrator or email_taken; validation_failed where one's
 * own e-mail address is to change without the current password: with it and a token alone the account would be taken
 */
export async function changeAccount(
  db: Db,
  change: AccountChange,
  patch: AccountPatch,
  now: Instant,
): Promise<void> {
  const { caller, account, isProved = false } = change
  const { name, email, disabled } = { ...account, ...patch }
  const isMoved = email !== account.email
  const isSwitched = disabled !== account.disabled
  if (name === account.name && !isMoved && !isSwitched) return
  if (isMoved && account.id === caller.userId && !isProved)
    throw invalidField('/current_password', {
      code: 'required',
      detail: 'is required to change your own e-mail address',
    })
  if (isMoved || isSwitched) await requireAuthorityOver(db, change)
  if (isSwitched && disabled) {
    if (account.id === caller.userId) {
      throw ownAccount('Nobody disables their own account; another administrator can, PATCH /api/users/{id}.')
    }
    await keepAnAdministrator(db, caller, account.id)
  }
  await updateUser(db, caller, account.id, { name, email, ...(isSwitched && { disabled }) }, now)
  if (isMoved) await deletePairsOf(db, [account.id])
  // After the account's row is held: a login that was first has its session by now, a later one is refused.
  if (isSwitched && disabled) await deleteSessionsOf(db, account.id)
}

/** What nobody does to their own account, with what to do instead. */
export function ownAccount(detail: string): Problem {
  return new Problem('own_account', detail)
}
