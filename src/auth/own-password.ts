import type { Caller } from '../access/authority.ts'
import { invalidField } from '../problems.ts'
import { getOwnPassword, withCurrentPassword } from '../users/current-password.ts'
import type { Parts } from '../users/parts.ts'
import { type PasswordPolicy, passwordFault } from '../users/password-policy.ts'
import { hashPassword } from '../users/passwords.ts'
import { updatePassword } from '../users/queries.ts'
import { deleteOtherSessions } from './queries.ts'

type PasswordParts = Pick<Parts, 'db' | 'clock' | 'hashingLine'> & { readonly policy: PasswordPolicy }

/** `fresh` is normalised as its schema's format says. */
export interface PasswordChange {
  readonly current: string
  readonly fresh: string
}

/**
 * Gives the caller's account a new password, and ends its other sessions. A token is not enough: the current password
 * is needed.
 * @returns how many sessions were ended
 * @throws Problem validation_failed, too_many_attempts, overloaded or token_invalid
 */
export async function changePassword(
  parts: PasswordParts,
  caller: Caller,
  { current, fresh }: PasswordChange,
): Promise<number> {
  const own = await getOwnPassword(parts.db, caller)
  const fault = passwordFault(parts.policy, fresh, own)
  if (fault) throw invalidField('/new_password', fault)

  const isSame = current.normalize('NFC') === fresh
  const ended = await withCurrentPassword(parts, caller, own, current, async () => {
    if (isSame) return async () => undefined
    const hash = await hashPassword(fresh)
    return async (db, now) => {
      await updatePassword(db, caller.userId, { hash, mustChange: false }, now.toISOString())
      return deleteOtherSessions(db, caller, now.toISOString())
    }
  })
  if (ended === undefined)
    throw invalidField('/new_password', {
      code: 'unchanged',
      detail: 'must be another than the current password',
    })
  return ended
}
