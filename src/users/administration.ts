import { type Authority, type Caller, exceedsOwnPermissions, getAuthority } from '../access/authority.ts'
import { deletePairsOf } from '../access/known-pairs.ts'
import { keepAnAdministrator, lockPlatform } from '../access/platform.ts'
import { deleteSessionsOf } from '../access/sessions.ts'
import { lockRow } from '../db/row-locks.ts'
import type { Db, Instant } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import type { Precondition } from '../http/conditions.ts'
import { invalidField, Problem } from '../problems.ts'
import { type Account, getAccount } from './accounts.ts'
import { updateUser } from './queries.ts'

/** The account to change, and what the caller may do. */
export interface AccountChange {
  readonly caller: Caller
  readonly authority: Authority
  readonly account: Account
  /** Whether the caller has proved that it knows its own password. */
  readonly isProved?: boolean
}

/**
 * An administrative write that changes an account. Such writes run one after another.
 * @param precondition which version is meant, where the request must say so
 * @throws Problem as `write` and `work` do, user_not_found or precondition_failed
 */
export function writeAccount<Result>(
  db: Db,
  caller: Caller,
  id: number,
  precondition: Precondition | undefined,
  work: (tx: Tx, change: AccountChange) => Promise<Result>,
): Promise<Result> {
  const change = async (tx: Tx, authority: Authority) => {
    const { account, tag } = await getAccount(tx, id)
    precondition?.check(tag)
    return work(tx, { caller, authority, account })
  }
  return write(db, caller, change, async (db) => {
    await lockPlatform(db)
    await lockRow(db, 'users', id) // a change by the owner does not wait for administrators
  })
}

/** An account after its change, as the answer shows it: only the id without `users.view`. */
export async function changedAccount(
  db: Db,
  { authority, account: { id } }: AccountChange,
): Promise<{ account: Pick<Account, 'id'> | Account; tag: string }> {
  const { account, tag } = await getAccount(db, id)
  return { account: authority.scopeOf('users.view') === undefined ? { id } : account, tag }
}

/**
 * A caller who could log in as an account, or take permissions from it, must hold everything that it holds.
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

/** The fields to change. */
interface AccountPatch {
  readonly name?: string
  readonly email?: string
  readonly disabled?: boolean
}

/**
 * Changes an account. A value that is the same already changes nothing. Disabling ends the account's sessions.
 * @throws Problem exceeds_own_permissions, own_account, last_administrator or email_taken. Also validation_failed,
 * when callers change their own e-mail address without the current password: a stolen token could take over the
 * account.
 */
export async function changeAccount(
  tx: Tx,
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
  if (isMoved || isSwitched) await requireAuthorityOver(tx, change)
  if (isSwitched && disabled && account.id === caller.userId)
    throw ownAccount('Nobody disables their own account; another administrator can, PATCH /api/users/{id}.')
  const update = () => updateUser(tx, account, { name, email, disabled }, now)
  await (isSwitched ? switchAccount(tx, account.id, disabled, update) : update())
  if (isMoved) await deletePairsOf(tx, [account.id])
}

/**
 * The rule for disabling and enabling, by the API and by commands: the last administrator stays, and the sessions of
 * a disabled account end.
 * @param update changes the account's row
 * @throws Problem last_administrator
 */
export async function switchAccount(
  db: Db,
  userId: number,
  disabled: boolean,
  update: () => Promise<unknown>,
): Promise<void> {
  if (disabled) await keepAnAdministrator(db, userId)
  await update()
  // The account's row is locked by now. An earlier login has stored its session, and a later one is refused.
  if (disabled) await deleteSessionsOf(db, userId)
}

/** What nobody may do to their own account, and what to do instead. */
export function ownAccount(detail: string): Problem {
  return new Problem('own_account', detail)
}
