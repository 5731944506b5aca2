import { type Caller, getAuthority } from '../access/authority.ts'
import { livingSessionsOf } from '../access/session-limit.ts'
import { deleteSessionsOf } from '../access/sessions.ts'
import type { PageRequest } from '../db/pages.ts'
import type { Db, Instant } from '../db/tables.ts'

/** The caller's own account, with what it holds; in two statements. */
export async function getOwnAccount(db: Db, { userId }: Caller) {
  const rows = await db
    .selectFrom('users')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .leftJoin('roles', 'roles.id', 'user_roles.role_id')
    .select(['users.id', 'users.name', 'users.email', 'users.password_change_required', 'roles.name as role'])
    .where('users.id', '=', userId)
    .orderBy('roles.id')
    .execute()
  const authority = await getAuthority(db, userId)
  const { id, name, email, password_change_required } = rows[0]!
  return {
    id,
    name,
    email,
    password_change_required: password_change_required === 1,
    roles: rows.flatMap(({ role }) => role ?? []),
    permissions: authority.permissions,
    scopes: authority.permissions.flatMap((permission) => {
      const scope = authority.scopeOf(permission)
      return scope === undefined || scope === 'all' ? [] : [{ permission, class_ids: [...scope] }]
    }),
  }
}

/**
 * The public id of a session: the first 128 bits of its key, which is a SHA-256 of the token's `jti`. Neither the
 * rest of the key nor a token can be derived from it: a token is signed, and its `jti` is random.
 */
function sessionIdOf(key: Uint8Array): string {
  return Buffer.from(key).toString('hex', 0, idBytes)
}

const idBytes = 16
const keyBytes = 32

/** The first and the last key that a session of this id can have. @returns undefined for what is no id */
function keysOf(id: string): [first: Uint8Array, last: Uint8Array] | undefined {
  if (!/^[0-9a-f]{32}$/.test(id)) return undefined
  const start = Buffer.from(id, 'hex')
  const endingIn = (byte: number) => Buffer.concat([start, Buffer.alloc(keyBytes - idBytes, byte)])
  return [endingIn(0x00), endingIn(0xff)]
}

/** The caller's living sessions, the newest first. There are few of them, so all are read. */
export async function pageOfOwnSessions(
  db: Db,
  { userId }: Caller,
  { page, perPage }: PageRequest,
  now: Instant,
) {
  const living = await livingSessionsOf(db, userId, now).execute()
  living.sort((a, b) => b.created_at.localeCompare(a.created_at) || Buffer.compare(a.key, b.key))
  const shown = living.slice((page - 1) * perPage, page * perPage)
  return {
    items: shown.map((session) => ({ id: sessionIdOf(session.key), ...session })),
    total: living.length,
  }
}

/** Ends a living session of the caller's. @returns whether there was one of this id */
export async function deleteOwnSession(
  db: Db,
  { userId }: Caller,
  id: string,
  now: Instant,
): Promise<boolean> {
  const keys = keysOf(id)
  if (keys === undefined) return false
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('key', '>=', keys[0])
    .where('key', '<=', keys[1])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Ends every session of the caller's but the one that calls. @returns how many were living */
export async function deleteOtherSessions(
  db: Db,
  { userId, sessionKey }: Caller,
  now: Instant,
): Promise<number> {
  return deleteSessionsOf(db, userId, now, sessionKey)
}
