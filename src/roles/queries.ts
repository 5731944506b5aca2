import { lockPlatform } from '../access/platform.ts'
import type { Db, Instant } from '../db/tables.ts'
import type { Author } from '../events/write.ts'
import { ExplainedError } from '../problems.ts'

/** A grant or a disabling that would leave the platform without an administrator. */
export class LastAdministratorError extends ExplainedError {
  override readonly name = 'LastAdministratorError'
  constructor() {
    super('This account is the last active administrator. Make another one first.')
  }
}

export interface RoleWithPermissions {
  readonly name: string
  readonly permissions: string[]
}

export async function findRoles(db: Db): Promise<RoleWithPermissions[]> {
  const rows = await db
    .selectFrom('roles')
    .leftJoin('role_permissions', 'role_permissions.role_id', 'roles.id')
    .select(['roles.name', 'role_permissions.permission'])
    .orderBy('roles.id')
    .orderBy('role_permissions.permission')
    .execute()
  return [...Map.groupBy(rows, ({ name }) => name)].map(([name, ofRole]) => ({
    name,
    permissions: ofRole.flatMap(({ permission }) => permission ?? []),
  }))
}

/** What an account holds: its roles and, through them, its permissions. */
export async function findGrants(
  db: Db,
  userId: number,
): Promise<{ roles: string[]; permissions: string[] }> {
  const rows = await db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .leftJoin('role_permissions', 'role_permissions.role_id', 'roles.id')
    .select(['roles.name', 'role_permissions.permission'])
    .where('user_roles.user_id', '=', userId)
    .orderBy('roles.id')
    .execute()
  return {
    roles: [...new Set(rows.map(({ name }) => name))],
    permissions: [...new Set(rows.flatMap(({ permission }) => permission ?? []))].sort(),
  }
}

/** @throws ExplainedError that names the roles there are */
export async function getRoleId(db: Db, role: string): Promise<number> {
  const roles = await db.selectFrom('roles').select(['id', 'name']).orderBy('id').execute()
  const found = roles.find(({ name }) => name === role)
  if (found) return found.id
  const names = roles.map(({ name }) => name).join(', ')
  throw new ExplainedError(`There is no role ${role}. The roles are: ${names}.`)
}

/**
 * Gives an account a role, from its next request on. @returns false when it holds the role already
 * @throws ExplainedError when there is no such role
 */
export async function insertGrant(
  db: Db,
  _by: Author,
  userId: number,
  role: string,
  now: Instant,
): Promise<boolean> {
  const roleId = await getRoleId(db, role)
  if (role === 'administrator') await claimAdministration(db, now)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('user_roles')
    .values({ user_id: userId, role_id: roleId, granted_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Takes a role from an account. @returns false when it did not hold the role
 * @throws LastAdministratorError, or ExplainedError when there is no such role
 */
export async function deleteGrant(db: Db, by: Author, userId: number, role: string): Promise<boolean> {
  const roleId = await getRoleId(db, role)
  if (role === 'administrator') await keepAnAdministrator(db, by, userId)
  const { numDeletedRows } = await db
    .deleteFrom('user_roles')
    .where('user_id', '=', userId)
    .where('role_id', '=', roleId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/**
 * Claims the first administration of the platform: of all who ever try, one gets true. The row is
 * locked until the transaction ends.
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

/**
 * Holds the platform's row, so that of two who take each other's role away at once the second sees the first.
 * @throws LastAdministratorError when no other active account is administrator
 */
export async function keepAnAdministrator(db: Db, _by: Author, userId: number): Promise<void> {
  await lockPlatform(db)
  const administrators = await db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .innerJoin('users', 'users.id', 'user_roles.user_id')
    .select('users.id')
    .where('roles.name', '=', 'administrator')
    .where('users.disabled_at', 'is', null)
    .execute()
  if (administrators.length === 1 && administrators[0]!.id === userId) throw new LastAdministratorError()
}
