import { clientOf } from '../access/clients.ts'
import { instantAfter } from '../access/clock.ts'
import { insertSession } from '../access/sessions.ts'
import { acceptLogin, checkLogin, countLogin, type LoginAttempt, pairOf } from '../access/throttle.ts'
import type { TokenUse } from '../access/tokens.ts'
import type { Config } from '../config.ts'
import { type Author, write } from '../events/write.ts'
import { Problem } from '../problems.ts'
import { shown } from '../text/normalise.ts'
import type { Parts } from '../users/parts.ts'
import { hashPassword, isHashable, isOutdated, verifyPassword } from '../users/passwords.ts'
import {
  findUserByEmail,
  lockActiveUser,
  type UserRow,
  updateIdleSince,
  updatePasswordHash,
} from '../users/queries.ts'

type LoginParts = Pick<Parts, 'db' | 'tokens' | 'clock' | 'hashingLine'> & Pick<Config, 'tokenTtlSeconds'>

/** The longest `User-Agent` and client address that are kept, in code points. */
export const maxClientLength = 255

/** An attempt, with what its client calls itself (`User-Agent`). */
interface ClientAttempt extends LoginAttempt {
  readonly client?: string | undefined
}

/**
 * Decides a login. The attempt counts as failed before the password is verified, and a success takes the count back.
 * So parallel guesses cannot outrun the counter.
 * @throws Problem invalid_credentials, too_many_attempts or overloaded
 */
export async function logIn(
  { db, tokens, clock, hashingLine, tokenTtlSeconds }: LoginParts,
  by: Author,
  attempt: ClientAttempt,
  password: string,
  use: TokenUse = 'bearer',
): Promise<{ token: string; user: UserRow }> {
  const asker = { client: clientOf(attempt.address), pair: pairOf(attempt) }
  return hashingLine.run(asker, async (freeSlot) => {
    const count = await checkLogin(db, attempt, clock())
    await write(db, by, (db) => countLogin(db, count, clock()))
    const user = await findUserByEmail(db, attempt.email)
    const isRight = isHashable(password) && (await verifyPassword(user?.password_hash, password))
    if (user === undefined || !isRight || user.disabled_at !== null) throw invalidCredentials()
    const betterHash = isOutdated(user.password_hash) ? await hashPassword(password) : undefined
    freeSlot()

    const address = shown(attempt.address, maxClientLength)
    const client = shown(attempt.client ?? '', maxClientLength) || null
    const now = clock()
    const { token, sessionKey } = await tokens.issue(user.id, now, use)
    await write(db, by, async (db) => {
      // The account was disabled, or got another password, while this one was verified: the login is too late.
      const current = await lockActiveUser(db, user.id)
      if (current?.password_hash !== user.password_hash) throw invalidCredentials()
      await acceptLogin(db, count, user.id, now)
      await updateIdleSince(db, user.id, now.toISOString())
      if (betterHash !== undefined) await updatePasswordHash(db, user.id, betterHash, now.toISOString())
      await insertSession(db, {
        key: sessionKey,
        userId: user.id,
        createdAt: now.toISOString(),
        expiresAt: instantAfter(now, tokenTtlSeconds * 1000),
        address,
        client,
      })
    })
    return { token, user }
  })
}

/** One text for an unknown e-mail address, a wrong password and a disabled account. */
function invalidCredentials(): Problem {
  return new Problem('invalid_credentials', 'The e-mail address or the password is wrong.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="registrar"' },
  })
}
