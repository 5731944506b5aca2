import { sql } from 'kysely'
import { type Placeholders, prepare } from '../db/prepare.ts'
import type { Db, Instant } from '../db/tables.ts'

/** What a session is found by, and what its account is to be allowed; '' asks for no permission. */
export interface SessionQuery {
  readonly key: Uint8Array
  readonly now: Instant
  readonly permission: string
}

export interface SessionRow {
  readonly user_id: number
  readonly allowed: number | boolean
}

/**
 * The one statement that says who calls and whether they may: the session lives, the account is active, and
 * one of its roles holds the permission. Read on every request, so that a logout, a revocation or a disabled
 * account holds from the next one on.
 */
export function selectSession(db: Db, { key, now, permission }: Placeholders<SessionQuery>) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select((q) => [
      'sessions.user_id',
      q
        .exists(
          q
            .selectFrom('user_roles')
            .innerJoin('role_permissions', 'role_permissions.role_id', 'user_roles.role_id')
            .select(sql`1`.as('one'))
            .whereRef('user_roles.user_id', '=', 'sessions.user_id')
            .where('role_permissions.permission', '=', permission),
        )
        .as('allowed'),
    ])
    .where('sessions.key', '=', key)
    .where('sessions.expires_at', '>', now)
    .where('users.disabled_at', 'is', null)
}

export const findSession = prepare<SessionQuery, SessionRow>((db, values) => selectSession(db, values))

export interface NewSession {
  readonly key: Uint8Array
  readonly userId: number
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

export async function insertSession(
  db: Db,
  { key, userId, createdAt, expiresAt }: NewSession,
): Promise<void> {
  await db
    .insertInto('sessions')
    .values({ key, user_id: userId, created_at: createdAt, expires_at: expiresAt })
    .execute()
}

/** @returns whether the session was there: of two logouts one ends it */
export async function deleteSession(db: Db, key: Uint8Array): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('key', '=', key).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Ends every session of an account, and so every token it holds. */
export async function deleteSessionsOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** Ends every session of every account. */
export async function deleteAllSessions(db: Db): Promise<void> {
  await db.deleteFrom('sessions').execute()
}

/** Removes a thousand expired sessions at most. @returns whether there may be more */
export async function deleteExpiredSessions(db: Db, now: Instant): Promise<boolean> {
  const atMost = 1_000
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('key', 'in', (query) =>
      query.selectFrom('sessions').select('key').where('expires_at', '<=', now).limit(atMost),
    )
    .executeTakeFirstOrThrow()
  return numDeletedRows === BigInt(atMost)
}
