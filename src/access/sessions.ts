import { type RawBuilder, sql } from 'kysely'
import { listed } from '../db/engine.ts'
import { countOf } from '../db/pages.ts'
import { deletePortion } from '../db/portions.ts'
import { prepare } from '../db/prepare.ts'
import type { Db, Instant } from '../db/tables.ts'
import { joinScopes, type Scope, scopeOf } from './scope.ts'
import { deleteLongestUnused, maxSessions } from './session-limit.ts'

/** What a session is found by, and what its account is to be allowed; '' asks for no permission. */
export interface SessionQuery {
  readonly key: Uint8Array
  readonly now: Instant
  readonly permission: string
  /** A second permission, which decides how much is shown; '' asks for none. */
  readonly besides: string
}

/** One role of who calls: for which classes it is granted, and whether it holds what is asked for. */
interface RoleRow {
  readonly user_id: number
  readonly must_change: number
  /** As `scopeOf` reads it; null: the account has no role. */
  readonly classes: string | null
  readonly holds: number
  readonly holds_besides: number
}

/**
 * The one statement that says who calls and whether they may: the session lives, the account is active, and
 * what each of its roles holds. Read on every request, so that a logout, a revocation or a disabled account holds
 * from the next one on. A row a role; one where there is none.
 */
const selectRoles = prepare<SessionQuery, RoleRow>((db, { key, now, permission, besides }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select([
      'sessions.user_id',
      'users.password_change_required as must_change',
      classesOf(db).as('classes'),
      holds(permission).as('holds'),
      holds(besides).as('holds_besides'),
    ])
    .where('sessions.key', '=', key)
    .where('sessions.expires_at', '>', now)
    .where('users.disabled_at', 'is', null),
)

function holds(permission: RawBuilder<string>) {
  return sql<number>`cast(exists (
    select 1 from role_permissions
    where role_permissions.role_id = user_roles.role_id and role_permissions.permission = ${permission}
  ) as integer)`
}

/** The classes that a row of `user_roles` is for, as `scopeOf` reads them. */
export function classesOf(db: Db) {
  return sql<string | null>`case user_roles.all_classes when 1 then '*' when 0 then coalesce((
    select ${listed(db, 'class_id')} from user_role_classes
    where user_role_classes.user_id = user_roles.user_id and user_role_classes.role_id = user_roles.role_id
  ), '') end`
}

/**
 * Finds who calls, and the classes for which the permissions that are asked for are held.
 * @returns undefined where the session has ended, or its account is disabled
 */
export async function findSession(db: Db, query: SessionQuery) {
  const roles = await selectRoles(db, query)
  const [first] = roles
  if (first === undefined) return undefined
  let scope: Scope | undefined
  let scopeBesides: Scope | undefined
  for (const role of roles) {
    if (role.holds === 1) scope = joinScopes(scope, scopeOf(role.classes)!)
    if (role.holds_besides === 1) scopeBesides = joinScopes(scopeBesides, scopeOf(role.classes)!)
  }
  return { userId: first.user_id, mustChangePassword: first.must_change === 1, scope, scopeBesides }
}

interface NewSession {
  readonly key: Uint8Array
  readonly userId: number
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly address?: string | null
  readonly client?: string | null
}

/** Makes a session. Of an account that has as many as it may, the one that is longest unused ends. */
export async function insertSession(
  db: Db,
  { key, userId, createdAt, expiresAt, address = null, client = null }: NewSession,
): Promise<void> {
  await deleteLongestUnused(db, userId, createdAt, { among: 2 * maxSessions, kept: maxSessions - 1 })
  await db
    .insertInto('sessions')
    .values({ key, user_id: userId, created_at: createdAt, expires_at: expiresAt, address, client })
    .execute()
}

/**
 * Sets when sessions were last used. Of two instances that saw a session the later instant stays, and one that
 * has ended stays ended. The keys are made as many as the next power of two, the last one repeated, so that few
 * statements differ and each stays prepared.
 */
export async function updateLastUsed(db: Db, keys: readonly Uint8Array[], at: Instant): Promise<void> {
  const count = 2 ** Math.ceil(Math.log2(keys.length))
  const padded = Array.from({ length: count }, (_, i) => keys[Math.min(i, keys.length - 1)]!)
  await db
    .updateTable('sessions')
    .set({ last_used_at: at })
    .where('key', 'in', padded)
    .where((q) => q.or([q('last_used_at', 'is', null), q('last_used_at', '<', at)]))
    .execute()
}

/** @returns whether the session was there: of two logouts one ends it */
export async function deleteSession(db: Db, key: Uint8Array): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('key', '=', key).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/**
 * Ends every session of an account, and so every token it holds, but for one where it is named.
 * @returns how many had not expired by then
 */
export async function deleteSessionsOf(
  db: Db,
  userId: number,
  now: Instant = '',
  except: Uint8Array = new Uint8Array(),
): Promise<number> {
  const sessions = db.selectFrom('sessions').where('user_id', '=', userId).where('key', '<>', except)
  const living = await countOf(now === '' ? sessions : sessions.where('expires_at', '>', now))
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('key', '<>', except).execute()
  return living
}

/** Ends every session of every account. */
export async function deleteAllSessions(db: Db): Promise<void> {
  await db.deleteFrom('sessions').execute()
}

/** Removes expired sessions, as `deletePortion` does. */
export function deleteExpiredSessions(db: Db, now: Instant): Promise<boolean> {
  return deletePortion(db, 'sessions', 'key', sql`expires_at <= ${now}`)
}
