import { type Authority, exceedsOwnPermissions, getAuthority } from '../access/authority.ts'
import { administer, keepAnAdministrator } from '../access/platform.ts'
import { deleteSessionsOf } from '../access/sessions.ts'
import { engineOf } from '../db/engine.ts'
import type { Db, Instant } from '../db/tables.ts'
import type { Precondition } from '../http/conditions.ts'
import type { AuthenticatedCaller } from '../http/context.ts'
import { Problem } from '../problems.ts'
import { type Account, getAccount } from './accounts.ts'
import { updateUser } from './queries.ts'

/** An account that is about to be changed, and what the one who changes it may do. */
export interface AccountChange {
  readonly caller: AuthenticatedCaller
  readonly authority: Authority
  readonly account: Account
}

/**
 * Begins the change of an account, inside the write.
 * @param precondition which version is meant, where the request must say so
 * @throws Problem as `administer` does, user_not_found or precondition_failed
 */
export async function beginChange(
  db: Db,
  caller: AuthenticatedCaller,
  id: number,
  precondition?: Precondition,
): Promise<AccountChange> {
  const authority = await administer(db, caller, 'users.manage')
  // A change that its owner makes does not wait for administrators. On SQLite there is one write at a time.
  if (engineOf(db) === 'postgres')
    await db.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const { account, tag } = await getAccount(db, caller, id)
  precondition?.check(tag)
  return { caller, authority, account }
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
 * @throws Problem exceeds_own_permissions, own_account, last_administrator or email_taken
 */
export async function changeAccount(
  db: Db,
  change: AccountChange,
  patch: AccountPatch,
  now: Instant,
): Promise<void> {
  const { caller, account } = change
  const { name, email, disabled } = { ...account, ...patch }
  const isMoved = email !== account.email
  const isSwitched = disabled !== account.disabled
  if (name === account.name && !isMoved && !isSwitched) return
  if (isMoved || isSwitched) await requireAuthorityOver(db, change)
  if (isSwitched && disabled) {
    if (account.id === caller.userId) {
      throw ownAccount('Nobody disables their own account; another administrator can, PATCH /api/users/{id}.')
    }
    await keepAnAdministrator(db, caller, account.id)
  }
  await updateUser(db, caller, account.id, { name, email, ...(isSwitched && { disabled }) }, now)
  // After the account's row is held: a login that was first has its session by now, a later one is refused.
  if (isSwitched && disabled) await deleteSessionsOf(db, account.id)
}

/** What nobody does to their own account, with what to do instead. */
export function ownAccount(detail: string): Problem {
  return new Problem('own_account', detail)
}
