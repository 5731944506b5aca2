import {
  getRole,
  listPermissions,
  listRoles,
  listUsers,
  type Permission,
  type PermissionName,
  type Role,
} from '../../client/src/index.ts'
import { call, type Outcome } from '../api/calls.ts'
import type { ReadRecord } from '../parts/edit-form.tsx'
import { may, mayForAll } from '../session/session.ts'
import type { Typed } from '../student/form.ts'
import { texts } from './texts.ts'

/*
 * A role as a form holds it: its name by the pointer `/name`, and each permission by `/permissions/NAME`: `yes` where
 * the role holds it, else nothing.
 */

const prefix = '/permissions/'
const mostRoles = 1000

export interface RoleTable {
  readonly roles: readonly Role[]
  readonly permissions: readonly Permission[]
}

export async function fetchPermissions(): Promise<Outcome<readonly Permission[]>> {
  const came = await call(() => listPermissions())
  return came.is === 'failed' ? came : { ...came, data: came.data.data }
}

export async function fetchTable(): Promise<Outcome<RoleTable>> {
  const [all, permissions] = await Promise.all([
    call(() => listRoles({ query: { per_page: mostRoles } })),
    fetchPermissions(),
  ])
  if (all.is === 'failed') return all
  if (permissions.is === 'failed') return permissions
  return { ...all, data: { roles: all.data.data, permissions: permissions.data } }
}

export async function fetchRole(id: number): Promise<Outcome<ReadRecord<Role>>> {
  const came = await call(() => getRole({ path: { id } }))
  return came.is === 'failed' ? came : { ...came, data: { record: came.data.data, tag: came.tag } }
}

/** How many accounts hold a role; undefined for who may not see accounts. */
export async function countHolders(role: string): Promise<number | undefined> {
  if (!may('users.view')) return undefined
  const came = await call(() => listUsers({ query: { role, per_page: 1 } }))
  return came.is === 'done' ? came.data.pagination.total : undefined
}

/** The accounts that hold a role. */
export const holdersPath = (role: string) => `#/accounts?${new URLSearchParams({ role })}`

/** What a permission allows, in the reader's language; a new one in the server's words. */
export function meaningOf(name: string, description = name): string {
  const known: Readonly<Record<string, string>> = texts().permissions
  return known[name] ?? description
}

/** The permissions by what they are about. */
export function grouped(permissions: readonly Permission[]): readonly [string, readonly Permission[]][] {
  const say = texts().groups
  const groups: [string, RegExp][] = [
    [say.students, /^(students|lists)\./],
    [say.classes, /^classes\./],
    [say.accounts, /^(users|roles)\./],
    [say.school, /^(?!(students|lists|classes|users|roles)\.)/],
  ]
  return groups.map(
    ([label, names]) => [label, permissions.filter(({ name }) => names.test(name))] as const,
  ) as [string, Permission[]][]
}

/** Whether the account may change a role: it holds all that the role allows, for all classes. */
export const mayChange = ({ built_in, permissions }: Role) =>
  !built_in && permissions.every((name) => mayForAll(name))

export const typedOf = (name: string, held: readonly string[]): Typed => ({
  '/name': name,
  ...Object.fromEntries(held.map((one) => [prefix + one, 'yes'])),
})

export const pointerOf = (permission: string) => prefix + permission

/** What the API is sent. */
export const permissionsOf = (typed: Typed) =>
  Object.entries(typed)
    .filter(([pointer, value]) => pointer.startsWith(prefix) && value !== '')
    .map(([pointer]) => pointer.slice(prefix.length) as PermissionName)

export function labelOf(pointer: string): string {
  if (pointer === '/name') return texts().name
  return pointer.startsWith(prefix) ? meaningOf(pointer.slice(prefix.length)) : texts().allows
}

export const shownOf = (pointer: string, value: string) => (pointer === '/name' ? value : texts().yes)
