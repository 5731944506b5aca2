import { exceedsOwnPermissions } from '../access/authority.ts'
import { includesScope, joinScopes } from '../access/scope.ts'
import type { Db, Instant } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { faultsProblem } from '../http/validation.ts'
import type { FieldFault } from '../problems.ts'
import type { Grant } from '../users/accounts.ts'
import { type AccountChange, requireAuthorityOver } from '../users/administration.ts'
import { isForAllClassesOnly, setGrants } from './queries.ts'
import { findRoles, type Role } from './role-records.ts'

/** A role that an account is to hold; without class ids, for all classes. */
interface WantedGrant {
  readonly role_id: number
  readonly class_ids?: readonly number[] | null
}

/**
 * Replaces the roles of an account. Grants that it has already stay as they are.
 * @throws Problem exceeds_own_permissions, last_administrator, or validation_failed
 */
export async function replaceGrants(
  tx: Tx,
  change: AccountChange,
  wanted: readonly WantedGrant[],
  now: Instant,
): Promise<void> {
  await requireAuthorityOver(tx, change)
  const roles = new Map((await findRoles(tx)).map((role) => [role.id, role]))
  requireAuthorityFor(change, wanted, roles)
  await setGrants(tx, change.account, await readGrants(tx, wanted, roles), now)
}

type Roles = ReadonlyMap<number, Role>

/**
 * Nobody grants permissions that they do not hold. Nor may they name a class for which they hold nothing, unless the
 * account has a grant for it. This is checked before classes are looked up, so that nobody learns whether a class
 * exists that they may not see.
 * @throws Problem exceeds_own_permissions
 */
function requireAuthorityFor(
  { authority, account }: AccountChange,
  wanted: readonly WantedGrant[],
  roles: Roles,
): void {
  const known = account.roles.reduce(
    (known, { class_ids }) => joinScopes(known, class_ids ?? []),
    authority.classes,
  )
  for (const { role_id, class_ids } of wanted) {
    const role = roles.get(role_id)
    if (role === undefined) continue // the answer names the role, and nothing of its classes
    const isKnown = class_ids == null || includesScope(known, class_ids)
    if (isKnown && authority.coversAll(role.permissions, class_ids ?? 'all')) continue
    throw exceedsOwnPermissions(
      'A role among these allows more than you may do yourself, or for more classes; grant what you hold.',
    )
  }
}

/** @throws Problem validation_failed that names every fault */
async function readGrants(db: Db, wanted: readonly WantedGrant[], roles: Roles): Promise<Grant[]> {
  const classes = await findClassIds(db, wanted)
  const faults: FieldFault[] = []
  const read = new Map<number, Grant>()
  for (const [i, { role_id, class_ids: ids = null }] of wanted.entries()) {
    const at = `/roles/${i}`
    const role = roles.get(role_id)
    if (role === undefined) {
      const detail = 'must be the id of a role; GET /api/roles lists them'
      faults.push({ pointer: `${at}/role_id`, code: 'unknown_role', detail })
      continue
    }
    if (read.has(role_id))
      faults.push({ pointer: `${at}/role_id`, code: 'duplicate', detail: 'must not stand here twice' })
    if (ids !== null && isForAllClassesOnly(role)) {
      const detail = 'must be absent or null: this role holds a permission that is for all classes only'
      faults.push({ pointer: `${at}/class_ids`, code: 'needs_all_classes', detail })
    }
    const detail = 'must be the id of a class; GET /api/classes lists them'
    for (const [j, id] of (ids ?? []).entries())
      if (!classes.has(id)) faults.push({ pointer: `${at}/class_ids/${j}`, code: 'unknown_class', detail })
    const class_ids = ids && [...new Set(ids)].sort((a, b) => a - b)
    read.set(role_id, { role_id, role: role.name, class_ids })
  }
  if (faults.length > 0) throw faultsProblem(faults)
  return [...read.values()]
}

async function findClassIds(db: Db, wanted: readonly WantedGrant[]): Promise<Set<number>> {
  const ids = [...new Set(wanted.flatMap(({ class_ids }) => class_ids ?? []))]
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('classes').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}
