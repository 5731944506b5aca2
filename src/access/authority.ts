import type { Db } from '../db/tables.ts'
import { Problem } from '../problems.ts'
import { permissionDenied } from './admission.ts'
import type { Permission } from './permissions.ts'
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
  const rows = await db
    .selectFrom('user_roles')
    .innerJoin('role_permissions', 'role_permissions.role_id', 'user_roles.role_id')
    .leftJoin('user_role_classes', (join) =>
      join
        .onRef('user_role_classes.user_id', '=', 'user_roles.user_id')
        .onRef('user_role_classes.role_id', '=', 'user_roles.role_id'),
    )
    .select(['role_permissions.permission', 'user_roles.all_classes', 'user_role_classes.class_id'])
    .where('user_roles.user_id', '=', userId)
    .execute()
  const scopes = new Map<string, Scope>()
  for (const { permission, all_classes, class_id } of rows) {
    const scope = all_classes ? 'all' : class_id === null ? [] : [class_id]
    scopes.set(permission, joinScopes(scopes.get(permission), scope))
  }
  return new Authority(scopes)
}

/** A change that would give, or take over, more than the caller holds. */
export function exceedsOwnPermissions(detail: string): Problem {
  return new Problem('exceeds_own_permissions', detail)
}
