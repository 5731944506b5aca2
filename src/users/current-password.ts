import type { Caller } from '../access/authority.ts'
import { clientOf } from '../access/clients.ts'
import { tokenInvalid } from '../access/denials.ts'
import { acceptLogin, checkLogin, countLogin, pairOf } from '../access/throttle.ts'
import { write } from '../events/write.ts'
import { invalidField } from '../problems.ts'
import type { Parts } from './parts.ts'
import { isHashable, verifyPassword } from './passwords.ts'
import { lockActiveUser } from './queries.ts'

type ProofParts = Pick<Parts, 'db' | 'clock' | 'hashingLine'>

/**
 * Checks that callers know the password of their own account, because a stolen token does not prove it. As at login,
 * the attempt waits in the hashing line, and is counted before the password is verified.
 * @throws Problem validation_failed, too_many_attempts, overloaded or token_invalid
 */
export async function proveCurrentPassword(
  { db, clock, hashingLine }: ProofParts,
  caller: Caller,
  current: string,
): Promise<void> {
  const { email, password_hash } = await db
    .selectFrom('users')
    .select(['email', 'password_hash'])
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow()
  const attempt = { email, address: caller.address }
  const asker = { client: clientOf(caller.address), pair: pairOf(attempt) }
  await hashingLine.run(asker, async (freeSlot) => {
    const count = await checkLogin(db, attempt, clock())
    await write(db, caller, (db) => countLogin(db, count, clock()))
    if (!isHashable(current) || !(await verifyPassword(password_hash, current))) throw wrongPassword()
    freeSlot()
    await write(db, caller, async (db) => {
      const locked = await lockActiveUser(db, caller.userId)
      if (locked === undefined) throw tokenInvalid()
      if (locked.password_hash !== password_hash) throw wrongPassword()
      await acceptLogin(db, count, caller.userId, clock())
    })
  })
}

export function wrongPassword() {
  return invalidField('/current_password', {
    code: 'wrong_password',
    detail: "must be the account's current password",
  })
}
