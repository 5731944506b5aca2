import type { Caller } from '../access/authority.ts'
import { clientOf } from '../access/clients.ts'
import { tokenInvalid } from '../access/denials.ts'
import { acceptLogin, checkLogin, countLogin, pairOf } from '../access/throttle.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { invalidField } from '../problems.ts'
import type { Parts } from './parts.ts'
import { isHashable, verifyPassword } from './passwords.ts'
import { lockActiveUser, type UserRow } from './queries.ts'

type ProofParts = Pick<Parts, 'db' | 'clock' | 'hashingLine'>

/** What a password of the caller's own account is checked against. */
export function getOwnPassword(db: Db, { userId }: Caller) {
  return db
    .selectFrom('users')
    .select(['name', 'email', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/**
 * Does what needs the current password of the caller's own account, because a stolen token does not prove it. As at
 * login, the attempt waits in the hashing line, and is counted before the password is verified.
 * @param prepare runs once the password is verified, in its turn: it may hash. It gives what is done in the write that
 * accepts the password
 * @throws Problem validation_failed, too_many_attempts, overloaded or token_invalid
 */
export async function withCurrentPassword<Result>(
  { db, clock, hashingLine }: ProofParts,
  caller: Caller,
  { email, password_hash }: Pick<UserRow, 'email' | 'password_hash'>,
  current: string,
  prepare: () => Promise<(db: Db, now: Date) => Promise<Result>>,
): Promise<Result> {
  const attempt = { email, address: caller.address }
  const asker = { client: clientOf(caller.address), pair: pairOf(attempt) }
  return hashingLine.run(asker, async (freeSlot) => {
    const count = await checkLogin(db, attempt, clock())
    await write(db, caller, (db) => countLogin(db, count, clock()))
    if (!isHashable(current) || !(await verifyPassword(password_hash, current))) throw wrongPassword()
    const work = await prepare()
    freeSlot()
    let locked: Awaited<ReturnType<typeof lockActiveUser>>
    const accept = async (db: Db) => {
      if (locked === undefined) throw tokenInvalid()
      if (locked.password_hash !== password_hash) throw wrongPassword()
      const now = clock()
      await acceptLogin(db, count, caller.userId, now)
      return work(db, now)
    }
    return write(db, caller, accept, async (db) => {
      // As at login: if the account was disabled or got another password meanwhile, that comes first.
      locked = await lockActiveUser(db, caller.userId)
    })
  })
}

/** Checks the current password, and does nothing besides. @throws Problem as `withCurrentPassword` does */
export async function proveCurrentPassword(
  parts: ProofParts,
  caller: Caller,
  current: string,
): Promise<void> {
  const own = await getOwnPassword(parts.db, caller)
  await withCurrentPassword(parts, caller, own, current, async () => async () => {})
}

function wrongPassword() {
  return invalidField('/current_password', {
    code: 'wrong_password',
    detail: "must be the account's current password",
  })
}
