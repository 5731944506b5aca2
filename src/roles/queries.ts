import { isOfPlatform } from '../access/permissions.ts'
import { administratorRole, keepAnAdministrator, lockPlatform } from '../access/platform.ts'
import type { Db, Instant } from '../db/tables.ts'
import { violatesForeignKey } from '../db/violations.ts'
import type { Tx } from '../events/log.ts'
import { ExplainedError } from '../problems.ts'
import { type Account, type Grant, getAccount } from '../users/accounts.ts'
import { maxClassesOfGrant } from '../users/lengths.ts'
import { updateUserVersion } from '../users/queries.ts'
import { findRoles, type Role } from './role-records.ts'

/** @throws ExplainedError that names the roles there are */
export async function getRoleNamed(db: Db, role: string): Promise<Role> {
  const roles = await findRoles(db)
  const found = roles.find(({ name }) => name === role)
  if (found) return found
  const names = roles.map(({ name }) => name).join(', ')
  throw new ExplainedError(`There is no role ${role}. The roles are: ${names}.`)
}

/** Whether a role can be granted for all classes only. */
export function isForAllClassesOnly({ permissions }: Pick<Role, 'permissions'>): boolean {
  return permissions.some(isOfPlatform)
}

/**
 * The rule for granting and revoking, by the API and by commands: the last administrator stays, a grant that stays
 * the same keeps its row, and a change counts a version of the account. Call behind `lockPlatform`.
 * @param wanted all that the account is to hold, with class ids in ascending order
 * @returns false when it holds just that already
 * @throws Problem last_administrator, or ExplainedError when there is no such class
 */
export async function setGrants(
  tx: Tx,
  { id, roles: held }: Pick<Account, 'id' | 'roles'>,
  wanted: readonly Grant[],
  now: Instant,
): Promise<boolean> {
  const isAdministrator = ({ role }: Grant) => role === administratorRole
  if (held.some(isAdministrator) && !wanted.some(isAdministrator)) await keepAnAdministrator(tx, id)
  const gone = held.filter((grant) => !wanted.some((other) => isSame(grant, other)))
  const added = wanted.filter((grant) => !held.some((other) => isSame(grant, other)))
  for (const { role_id } of gone) await deleteGrantRows(tx, id, role_id)
  for (const grant of added) await insertGrantRows(tx, id, grant, now)
  const isChanged = gone.length + added.length > 0
  if (!isChanged) return false
  await updateUserVersion(tx, id, now)
  recordGrants(tx, id, held, wanted, now)
  return true
}

/** Logs what an account held and holds: for each role that differs, `all` or the ids of classes. */
export function recordGrants(
  tx: Tx,
  id: number,
  held: readonly Grant[],
  holds: readonly Grant[],
  now: Instant,
): void {
  const classesOf = (grants: readonly Grant[], role: string) => {
    const grant = grants.find((one) => one.role === role)
    return grant === undefined ? null : (grant.class_ids ?? 'all')
  }
  const roles = [...new Set([...held, ...holds].map(({ role }) => role))]
  const changes = roles.map(
    (role) => [`roles.${role}`, [classesOf(held, role), classesOf(holds, role)]] as const,
  )
  const fields = Object.fromEntries(changes.filter(([, [from, to]]) => String(from) !== String(to)))
  tx.record({ record: 'account', id, action: 'changed', at: now, fields })
}

function isSame(one: Grant, other: Grant): boolean {
  return one.role_id === other.role_id && String(one.class_ids) === String(other.class_ids)
}

/**
 * Grants an account a role from its next request on: for all classes, or for further ones.
 * @returns false when it holds all that already
 * @throws ExplainedError when there is no such role or class, or the role can't be granted for named classes, or for
 * so many
 */
export async function insertGrant(
  tx: Tx,
  userId: number,
  role: string,
  now: Instant,
  classIds?: readonly number[],
): Promise<boolean> {
  await lockPlatform(tx)
  const named = await getRoleNamed(tx, role)
  if (classIds !== undefined && isForAllClassesOnly(named)) {
    throw new ExplainedError(
      `The role ${role} holds permissions that are for all classes only, and can only be granted for all classes.`,
    )
  }
  const { account } = await getAccount(tx, userId)
  const isOfRole = ({ role_id }: Grant) => role_id === named.id
  const heldFor = account.roles.find(isOfRole)?.class_ids
  const isForAll = classIds === undefined || heldFor === null
  const class_ids = isForAll ? null : [...new Set([...(heldFor ?? []), ...classIds])].sort((a, b) => a - b)
  if (class_ids !== null && class_ids.length > maxClassesOfGrant) {
    throw new ExplainedError(
      `A role is granted for at most ${maxClassesOfGrant} named classes, and it would be held for ${class_ids.length}. Without --class, it is granted for all.`,
    )
  }
  const others = account.roles.filter((grant) => !isOfRole(grant))
  return setGrants(tx, account, [...others, { role_id: named.id, role, class_ids }], now)
}

/**
 * Revokes a role, for all classes.
 * @returns false when the account did not hold the role
 * @throws Problem last_administrator, or ExplainedError when there is no such role
 */
export async function deleteGrant(tx: Tx, userId: number, role: string, now: Instant): Promise<boolean> {
  await lockPlatform(tx)
  const { id: roleId } = await getRoleNamed(tx, role)
  const { account } = await getAccount(tx, userId)
  const others = account.roles.filter(({ role_id }) => role_id !== roleId)
  return setGrants(tx, account, others, now)
}

/** Adds the rows of a grant that is not there. @throws ExplainedError when there is no such class */
async function insertGrantRows(
  db: Db,
  user_id: number,
  { role_id, role, class_ids }: Grant,
  now: Instant,
): Promise<void> {
  if (role === administratorRole) await claimAdministration(db, now)
  const all_classes = class_ids === null ? 1 : 0
  await db.insertInto('user_roles').values({ user_id, role_id, granted_at: now, all_classes }).execute()
  await db
    .updateTable('users')
    .set({ granted_at: now })
    .where('id', '=', user_id)
    .where('granted_at', 'is', null)
    .execute()
  if (class_ids === null || class_ids.length === 0) return
  const rows = class_ids.map((class_id) => ({ user_id, role_id, class_id }))
  try {
    await db.insertInto('user_role_classes').values(rows).execute()
  } catch (error) {
    if (!violatesForeignKey(error)) throw error
    throw new ExplainedError('There is no such class; ./registrar.js class list lists them.', {
      cause: error,
    })
  }
}

/** Removes the rows of a grant, whatever else holds: see `setGrants`. */
export async function deleteGrantRows(db: Db, userId: number, roleId: number): Promise<void> {
  await db
    .deleteFrom('user_role_classes')
    .where('user_id', '=', userId)
    .where('role_id', '=', roleId)
    .execute()
  await db.deleteFrom('user_roles').where('user_id', '=', userId).where('role_id', '=', roleId).execute()
}

/**
 * Claims the first administration of the platform. Of all who ever try, one gets true. The row is locked until the
 * transaction ends.
 */
export async function claimAdministration(db: Db, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('platform')
    .set({ administrator_since: now })
    .where('id', '=', 1)
    .where('administrator_since', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Whether the platform ever had an administrator; the last one cannot be removed. */
export async function hasAdministrator(db: Db): Promise<boolean> {
  const { administrator_since } = await db
    .selectFrom('platform')
    .select('administrator_since')
    .executeTakeFirstOrThrow()
  return administrator_since !== null
}
