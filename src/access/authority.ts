import { type InferResult, sql } from 'kysely'
import { listed } from '../db/engine.ts'
import { prepare } from '../db/prepare.ts'
import { checkedAfterwards } from '../db/statement-marks.ts'
import type { Db, Instant } from '../db/tables.ts'
import { Problem } from '../problems.ts'
import { permissionDenied, tokenInvalid } from './denials.ts'
import { isOfPlatform, type Permission } from './permissions.ts'
import {
  commonScope,
  includesScope,
  joinScopes,
  type Required,
  requireAccess,
  type Scope,
  scopeOf,
} from './scope.ts'
import { classesOf } from './sessions.ts'

/** What an account may do: each permission that it holds, and for which classes. */
export class Authority {
  readonly #scopes: ReadonlyMap<string, Scope>

  constructor(scopes: ReadonlyMap<string, Scope>) {
    this.#scopes = scopes
  }

  get permissions(): string[] {
    return [...this.#scopes.keys()].sort()
  }

  /** For which classes a permission is held; undefined: for none. */
  scopeOf(permission: string): Scope | undefined {
    return this.#scopes.get(permission)
  }

  /** The classes for which anything is held, what is held of the platform aside. */
  get classes(): Scope {
    const ofClasses = [...this.#scopes].filter(([permission]) => !isOfPlatform(permission))
    return ofClasses.reduce<Scope>((classes, [, scope]) => joinScopes(classes, scope), [])
  }

  /** The same, but of students only what is held where another permission is held too; without that one, all of it. */
  whereHeld(permission: Permission): Authority {
    const there = this.scopeOf(permission)
    if (there === undefined || there === 'all') return this
    const scopes = [...this.#scopes].map(([one, scope]): [string, Scope] => [
      one,
      one.startsWith('students.') ? commonScope(scope, there) : scope,
    ])
    return new Authority(new Map(scopes))
  }

  /** @throws Problem permission_denied */
  require(permission: Permission): Scope {
    const scope = this.scopeOf(permission)
    if (scope === undefined) throw permissionDenied(permission)
    return scope
  }

  /** Whether another account may do nothing that this one may not. */
  covers(other: Authority): boolean {
    return [...other.#scopes].every(([permission, scope]) => includesScope(this.scopeOf(permission), scope))
  }

  /** Whether these permissions are all held for this scope. */
  coversAll(permissions: readonly string[], scope: Scope): boolean {
    return permissions.every((permission) => includesScope(this.scopeOf(permission), scope))
  }
}

/** Reads all that an account may do, in one statement. Inside a write it is what holds as the write is made. */
export async function getAuthority(db: Db, userId: number): Promise<Authority> {
  return authorityOf(await selectGrants(db).where('users.id', '=', userId).execute())
}

/** The same; undefined: the account is disabled or gone. */
export async function findAuthority(db: Db, userId: number): Promise<Authority | undefined> {
  const ofAccount = selectGrants(db).where('users.id', '=', userId).where('users.disabled_at', 'is', null)
  const grants = await ofAccount.execute()
  return grants.length === 0 ? undefined : authorityOf(grants)
}

/** For which classes a caller holds what a route asks for. */
export interface CallerScopes {
  /** The classes for which the route's permission is held; none where the route names none. */
  readonly scope: Scope
  /** The same of the route's second permission. */
  readonly scopeBesides: Scope
}

/** Who calls a guarded route, with a token that is good. */
export interface Caller extends CallerScopes {
  readonly userId: number
  readonly sessionKey: Uint8Array
  readonly address: string
  readonly requestId: string
  /**
   * Reads what the caller may do by now; `write` calls it.
   * @param now given where a session must not have expired by then
   * @throws Problem token_invalid or permission_denied
   */
  readonly readmit: (db: Db, now?: Instant) => Promise<Authority>
}

/**
 * Admits a caller anew inside a write: by what holds as it is made, not as the request began.
 * @param now by then the session must not have expired
 * @returns all that the caller may do
 * @throws Problem token_invalid where the session ended or the account was disabled since; a session that expired
 * since the request came stands unless `now` is given; permission_denied where the permission was taken away since
 */
export async function readmit(
  db: Db,
  key: Uint8Array,
  required: Required,
  now: Instant = longAgo,
): Promise<Authority> {
  const grants = await selectGrantsOfCaller(db, { key, now })
  if (grants.length === 0) throw tokenInvalid()
  const authority = authorityOf(grants)
  const { permission, instead } = required
  requireAccess(required, authority.scopeOf(permission), instead && authority.scopeOf(instead))
  return authority
}

const longAgo = '1970-01-01T00:00:00.000Z'

const selectGrantsOfCaller = prepare<{ key: Uint8Array; now: Instant }, GrantRow>(
  (db, { key, now }) =>
    selectGrants(db)
      .where('users.id', '=', (q) =>
        q.selectFrom('sessions').select('user_id').where('key', '=', key).where('expires_at', '>', now),
      )
      .where('users.disabled_at', 'is', null),
  checkedAfterwards,
)

/** What each role of an account holds, and for which classes; one row of nulls where it has no role. */
function selectGrants(db: Db) {
  return db
    .selectFrom('users')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select([permissionsOf(db, 'user_roles.role_id').as('permissions'), classesOf(db).as('classes')])
}

/** What a role holds, with commas between; null: nothing. */
export function permissionsOf(db: Db, roleId: 'roles.id' | 'user_roles.role_id') {
  return sql<string | null>`(
    select ${listed(db, 'permission')} from role_permissions where role_permissions.role_id = ${sql.ref(roleId)}
  )`
}

type GrantRow = InferResult<ReturnType<typeof selectGrants>>[number]

function authorityOf(grants: readonly GrantRow[]): Authority {
  const held = new Map<string, Scope>()
  for (const { permissions, classes } of grants) {
    const scope = scopeOf(classes)
    if (permissions === null || scope === undefined) continue
    for (const permission of permissions.split(','))
      held.set(permission, joinScopes(held.get(permission), scope))
  }
  return new Authority(held)
}

/** A change that would give, or take over, more than the caller holds. */
export function exceedsOwnPermissions(detail: string): Problem {
  return new Problem('exceeds_own_permissions', detail)
}
