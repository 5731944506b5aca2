import { isOfPlatform } from '../access/permissions.ts'
import { administratorRole, keepAnAdministrator, lockPlatform } from '../access/platform.ts'
import type { Db, Instant } from '../db/tables.ts'
import { violatesForeignKey } from '../db/violations.ts'
import { ExplainedError } from '../problems.ts'
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

/**
 * Grants an account a role from its next request on: for all classes, or for further ones.
 * @returns false when it holds all that already
 * @throws ExplainedError when there is no such role or class, or the role can't be granted for named classes, or for
 * so many
 */
export async function insertGrant(
  db: Db,
  userId: number,
  role: string,
  now: Instant,
  classIds?: readonly number[],
): Promise<boolean> {
  await lockPlatform(db)
  const named = await getRoleNamed(db, role)
  const { id: roleId, permissions } = named
  if (classIds !== undefined && permissions.some(isOfPlatform)) {
    throw new ExplainedError(
      `The role ${role} holds users.* or roles.* permissions, and can only be granted for all classes.`,
    )
  }
  const held = await db
    .selectFrom('user_roles')
    .select('all_classes')
    .where('user_id', '=', userId)
    .where('role_id', '=', roleId)
    .executeTakeFirst()
  if (held?.all_classes === 1) return false
  const heldFor = held === undefined ? [] : await findClassesOfGrant(db, userId, roleId)
  const scope = classIds === undefined ? null : [...new Set([...heldFor, ...classIds])]
  if (held !== undefined && scope?.length === heldFor.length) return false
  if (scope !== null && scope.length > maxClassesOfGrant) {
    throw new ExplainedError(
      `A role is granted for at most ${maxClassesOfGrant} named classes, and it would be held for ${scope.length}. Without --class, it is granted for all.`,
    )
  }
  await deleteGrantRows(db, userId, roleId)
  await insertGrantRows(db, { userId, role: named, classIds: scope }, now)
  await updateUserVersion(db, userId, now)
  return true
}

async function findClassesOfGrant(db: Db, userId: number, roleId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('user_role_classes')
    .select('class_id')
    .where('user_id', '=', userId)
    .where('role_id', '=', roleId)
    .execute()
  return rows.map(({ class_id }) => class_id)
}

/**
 * Revokes a role, for all classes.
 * @returns false when the account did not hold the role
 * @throws Problem last_administrator, or ExplainedError when there is no such role
 */
export async function deleteGrant(db: Db, userId: number, role: string, now: Instant): Promise<boolean> {
  await lockPlatform(db)
  const { id: roleId } = await getRoleNamed(db, role)
  if (role === administratorRole) await keepAnAdministrator(db, userId)
  const wasHeld = await deleteGrantRows(db, userId, roleId)
  if (wasHeld) await updateUserVersion(db, userId, now)
  return wasHeld
}

/** A grant as rows carry it; `classIds` null: for all classes. */
export interface GrantRows {
  readonly userId: number
  readonly role: Role
  readonly classIds: readonly number[] | null
}

/**
 * Adds the rows of a grant that is not there.
 * @throws ExplainedError when there is no such class
 */
export async function insertGrantRows(
  db: Db,
  { userId: user_id, role, classIds }: GrantRows,
  now: Instant,
): Promise<void> {
  if (role.name === administratorRole) await claimAdministration(db, now)
  const [role_id, all_classes] = [role.id, classIds === null ? 1 : 0]
  await db.insertInto('user_roles').values({ user_id, role_id, granted_at: now, all_classes }).execute()
  await db
    .updateTable('users')
    .set({ granted_at: now })
    .where('id', '=', user_id)
    .where('granted_at', 'is', null)
    .execute()
  if (classIds === null || classIds.length === 0) return
  const rows = classIds.map((class_id) => ({ user_id, role_id, class_id }))
  try {
    await db.insertInto('user_role_classes').values(rows).execute()
  } catch (error) {
    if (!violatesForeignKey(error)) throw error
    throw new ExplainedError('There is no such class; ./registrar.js class list lists them.', {
      cause: error,
    })
  }
}

/** @returns whether the account held the role */
export async function deleteGrantRows(db: Db, userId: number, roleId: number): Promise<boolean> {
  await db
    .deleteFrom('user_role_classes')
    .where('user_id', '=', userId)
    .where('role_id', '=', roleId)
    .execute()
  const { numDeletedRows } = await db
    .deleteFrom('user_roles')
    .where('user_id', '=', userId)
    .where('role_id', '=', roleId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
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
