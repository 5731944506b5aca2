import type { InferResult } from 'kysely'
import { prepare } from '../db/prepare.ts'
import type { Db } from '../db/tables.ts'
import type { AuthenticatedCaller } from '../http/context.ts'
import { Problem } from '../problems.ts'
import { permissionDenied, tokenInvalid } from './admission.ts'
import { isOfPlatform, type Permission } from './permissions.ts'
import { includesScope, joinScopes, type Scope } from './scope.ts'

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

/**
 * Admits a caller anew inside a write: by what holds as it is made, not as the request began.
 * @returns all that the caller may do
 * @throws Problem token_invalid where the session ended or the account was disabled since; a session that expired
 * since the request came stands
 */
export async function readmit(db: Db, { sessionKey }: AuthenticatedCaller): Promise<Authority> {
  const grants = await selectGrantsOfCaller(db, { key: sessionKey })
  if (grants.length === 0) throw tokenInvalid()
  return authorityOf(grants)
}

const selectGrantsOfCaller = prepare<{ key: Uint8Array }, GrantRow>((db, { key }) =>
  selectGrants(db)
    .where('users.id', '=', (q) => q.selectFrom('sessions').select('user_id').where('key', '=', key))
    .where('users.disabled_at', 'is', null),
)

/** Each permission of each grant of an account, for each class; one row without any where it holds none. */
function selectGrants(db: Db) {
  return db
    .selectFrom('users')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .leftJoin('role_permissions', 'role_permissions.role_id', 'user_roles.role_id')
    .leftJoin('user_role_classes', (join) =>
      join
        .onRef('user_role_classes.user_id', '=', 'user_roles.user_id')
        .onRef('user_role_classes.role_id', '=', 'user_roles.role_id'),
    )
    .select(['role_permissions.permission', 'user_roles.all_classes', 'user_role_classes.class_id'])
}

type GrantRow = InferResult<ReturnType<typeof selectGrants>>[number]

function authorityOf(grants: readonly GrantRow[]): Authority {
  const held = new Map<string, { ofAll: boolean; classes: Set<number> }>()
  for (const { permission, all_classes, class_id } of grants) {
    if (permission === null) continue
    const one = held.get(permission) ?? { ofAll: false, classes: new Set() }
    if (all_classes) one.ofAll = true
    if (class_id !== null) one.classes.add(class_id)
    held.set(permission, one)
  }
  const scopeOf = ({ ofAll, classes }: { ofAll: boolean; classes: Set<number> }): Scope =>
    ofAll ? 'all' : [...classes].sort((a, b) => a - b)
  return new Authority(new Map([...held].map(([permission, one]) => [permission, scopeOf(one)])))
}

/** A change that would give, or take over, more than the caller holds. */
export function exceedsOwnPermissions(detail: string): Problem {
  return new Problem('exceeds_own_permissions', detail)
}
