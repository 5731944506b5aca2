import type { Caller } from '../access/authority.ts'
import { clientOf } from '../access/clients.ts'
import { tokenInvalid } from '../access/denials.ts'
import { acceptLogin, checkLogin, countLogin, pairOf } from '../access/throttle.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { invalidField } from '../problems.ts'
import { wrongPassword } from '../users/current-password.ts'
import type { Parts } from '../users/parts.ts'
import { type PasswordPolicy, passwordFault } from '../users/password-policy.ts'
import { hashPassword, isHashable, verifyPassword } from '../users/passwords.ts'
import { lockActiveUser, updatePassword } from '../users/queries.ts'
import { deleteOtherSessions, getOwnPassword } from './queries.ts'

type PasswordParts = Pick<Parts, 'db' | 'clock' | 'hashingLine'> & { readonly policy: PasswordPolicy }

/** `fresh` is normalised as its schema's format says. */
export interface PasswordChange {
  readonly current: string
  readonly fresh: string
}

/**
 * Gives the caller's account a new password, and ends its other sessions. A token is not enough: the current password
 * is needed. As at login, it waits in the hashing line, and is counted before it is verified.
 * @returns how many sessions were ended
 * @throws Problem validation_failed, too_many_attempts, overloaded or token_invalid
 */
export async function changePassword(
  { db, clock, hashingLine, policy }: PasswordParts,
  caller: Caller,
  { current, fresh }: PasswordChange,
): Promise<number> {
  const { name, email, password_hash } = await getOwnPassword(db, caller)
  const fault = passwordFault(policy, fresh, { name, email })
  if (fault) throw invalidField('/new_password', fault)

  const attempt = { email, address: caller.address }
  const asker = { client: clientOf(caller.address), pair: pairOf(attempt) }
  return hashingLine.run(asker, async (freeSlot) => {
    const count = await checkLogin(db, attempt, clock())
    await write(db, caller, (db) => countLogin(db, count, clock()))
    if (!isHashable(current) || !(await verifyPassword(password_hash, current))) throw wrongPassword()
    const isSame = current.normalize('NFC') === fresh
    const freshHash = isSame ? password_hash : await hashPassword(fresh)
    freeSlot()

    let locked: Awaited<ReturnType<typeof lockActiveUser>>
    const replace = async (db: Db) => {
      if (locked === undefined) throw tokenInvalid()
      if (locked.password_hash !== password_hash) throw wrongPassword()
      const now = clock()
      await acceptLogin(db, count, caller.userId, now)
      if (isSame) return undefined
      const instant = now.toISOString()
      await updatePassword(db, caller.userId, { hash: freshHash, mustChange: false }, instant)
      return deleteOtherSessions(db, caller, instant)
    }
    const ended = await write(db, caller, replace, async (db) => {
      // As at login: if the account was disabled or got another password meanwhile, that comes first.
      locked = await lockActiveUser(db, caller.userId)
    })
    if (ended === undefined)
      throw invalidField('/new_password', {
        code: 'unchanged',
        detail: 'must be another than the current password',
      })
    return ended
  })
}
