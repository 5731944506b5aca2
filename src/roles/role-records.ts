import type { InferResult } from 'kysely'
import { permissionsOf } from '../access/authority.ts'
import { isOfPlatform } from '../access/permissions.ts'
import { type Page, type PageRequest, pageOf } from '../db/pages.ts'
import type { Db, Instant } from '../db/tables.ts'
import { violatesForeignKey } from '../db/violations.ts'
import type { Tx } from '../events/log.ts'
import { Problem } from '../problems.ts'
import { uniqueKey } from '../text/normalise.ts'

/** A role and what it holds, in alphabetical order. */
export interface Role {
  readonly id: number
  readonly name: string
  readonly built_in: boolean
  readonly permissions: string[]
  readonly version: number
  readonly updated_at: Instant
}

/** One page of roles, and the exact total. */
export async function pageOfRoles(db: Db, where: PageRequest): Promise<Page<Role>> {
  const { items, total } = await pageOf(selectRoles(db), where)
  return { items: items.map(asRole), total }
}

/** Every role, in the order of ids. */
export async function findRoles(db: Db): Promise<Role[]> {
  return (await selectRoles(db).execute()).map(asRole)
}

/** @throws Problem role_not_found */
export async function getRole(db: Db, id: number): Promise<Role> {
  const row = await selectRoles(db).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Problem('role_not_found', 'There is no role with this id.')
  return asRole(row)
}

function selectRoles(db: Db) {
  return db
    .selectFrom('roles')
    .select([
      'id',
      'name',
      'built_in',
      'version',
      'updated_at',
      permissionsOf(db, 'roles.id').as('permissions'),
    ])
    .orderBy('id')
}

type RoleRow = InferResult<ReturnType<typeof selectRoles>>[number]

function asRole({ id, name, built_in, permissions, version, updated_at }: RoleRow): Role {
  const held = permissions === null ? [] : permissions.split(',').sort()
  return { id, name, built_in: built_in === 1, permissions: held, version, updated_at }
}

type RoleContent = Pick<Role, 'name' | 'permissions'>

/** Call behind `lockPlatform`. @returns the new role's id @throws Problem role_name_taken */
export async function insertRole(tx: Tx, { name, permissions }: RoleContent, now: Instant): Promise<number> {
  await requireFree(tx, name)
  const { id } = await tx
    .insertInto('roles')
    .values({ name, built_in: 0, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertPermissions(tx, id, permissions)
  const fields = { name: [null, name], permissions: [null, sorted(permissions)] } as const
  tx.record({ record: 'role', id, action: 'created', at: now, fields })
  return id
}

/**
 * Changes the name or the permissions of a role that is not built in, from the next request on. Call behind
 * `lockPlatform`.
 * @throws Problem role_built_in or role_name_taken. Also validation_failed, when the role is granted for named
 * classes and would get permissions that are held for all classes only.
 */
export async function updateRole(
  tx: Tx,
  role: Role,
  { name, permissions }: RoleContent,
  now: Instant,
): Promise<void> {
  if (role.built_in) throw builtIn()
  if (permissions.some(isOfPlatform) && (await isGrantedForNamedClasses(tx, role.id))) throw needsAllClasses()
  if (name !== role.name) await requireFree(tx, name, role.id)
  await tx
    .updateTable('roles')
    .set((q) => ({ name, updated_at: now, version: q('version', '+', 1) }))
    .where('id', '=', role.id)
    .execute()
  await tx.deleteFrom('role_permissions').where('role_id', '=', role.id).execute()
  await insertPermissions(tx, role.id, permissions)
  const [from, to] = [role.permissions, sorted(permissions)]
  const fields = {
    ...(name !== role.name && { name: [role.name, name] as const }),
    ...(String(from) !== String(to) && { permissions: [from, to] as const }),
  }
  tx.record({ record: 'role', id: role.id, action: 'changed', at: now, fields })
}

function sorted(permissions: readonly string[]): string[] {
  return [...new Set(permissions)].sort()
}

/** @throws Problem role_built_in, or role_in_use while accounts hold it */
export async function deleteRole(tx: Tx, role: Role, now: Instant): Promise<void> {
  const { id, built_in, name, permissions } = role
  if (built_in) throw builtIn()
  try {
    await tx.deleteFrom('role_permissions').where('role_id', '=', id).execute()
    await tx.deleteFrom('roles').where('id', '=', id).execute()
  } catch (error) {
    if (!violatesForeignKey(error)) throw error
    throw new Problem(
      'role_in_use',
      'Accounts hold this role; GET /api/users?role=NAME lists them. Take it from them first.',
      { cause: error },
    )
  }
  const fields = { name: [name, null], permissions: [permissions, null] } as const
  tx.record({ record: 'role', id, action: 'removed', at: now, fields })
}

async function insertPermissions(db: Db, roleId: number, permissions: readonly string[]): Promise<void> {
  const rows = [...new Set(permissions)].map((permission) => ({ role_id: roleId, permission }))
  if (rows.length > 0) await db.insertInto('role_permissions').values(rows).execute()
}

async function isGrantedForNamedClasses(db: Db, roleId: number): Promise<boolean> {
  const grant = await db
    .selectFrom('user_roles')
    .select('user_id')
    .where('role_id', '=', roleId)
    .where('all_classes', '=', 0)
    .limit(1)
    .executeTakeFirst()
  return grant !== undefined
}

function builtIn(): Problem {
  return new Problem('role_built_in', 'The built-in roles stay as they are; make a role of your own instead.')
}

function needsAllClasses(): Problem {
  const detail =
    'must not hold a permission that is for all classes only while the role is granted for named classes'
  return new Problem(
    'validation_failed',
    'This role is granted for named classes, and some of these permissions are for all classes only: put those in a role of their own. GET /api/permissions tells which.',
    { errors: [{ pointer: '/permissions', code: 'needs_all_classes', detail }] },
  )
}

/**
 * Compares names as it reads them. There are few roles, and they are changed one at a time, so no column or index is
 * kept for it.
 * @param id the role that is to have the name, if it is there
 * @throws Problem role_name_taken where another has it, ignoring case
 */
async function requireFree(db: Db, name: string, id?: number): Promise<void> {
  const roles = await db.selectFrom('roles').select(['id', 'name']).execute()
  if (roles.every((role) => role.id === id || uniqueKey(role.name) !== uniqueKey(name))) return
  throw new Problem('role_name_taken', 'Another role has this name; names that look alike count as one.', {
    errors: [{ pointer: '/name', code: 'taken', detail: 'is the name of another role' }],
  })
}
