import { type Authority, exceedsOwnPermissions } from '../access/authority.ts'
import type { Clock } from '../access/clock.ts'
import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import { isOfPlatform, permissions, permissionTable } from '../access/permissions.ts'
import { administer } from '../access/platform.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { entityTag, isNotModified, preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import { pageLinks, pageRequest, pagination } from '../http/paging.ts'
import { getAccount } from '../users/accounts.ts'
import { beginChange } from '../users/administration.ts'
import { replaceGrants } from './grants.ts'
import { deleteRole, getRole, insertRole, pageOfRoles, type Role, updateRole } from './role-records.ts'
import {
  changeRole,
  createRole,
  getRoleById,
  listPermissions,
  listRoles,
  removeRole,
  setRoles,
} from './schema.ts'

export interface RoleParts {
  readonly db: Db
  readonly clock: Clock
}

const tagOf = ({ version }: Role) => entityTag([version])

export function roleRoutes(app: App, { db, clock }: RoleParts): void {
  const config = requires('roles.manage')

  app.get('/api/permissions', { schema: listPermissions, config }, async () => ({
    success: true,
    data: permissions.map((name) => ({
      name,
      description: permissionTable[name],
      all_classes_only: isOfPlatform(name),
    })),
  }))

  app.get('/api/roles', { schema: listRoles, config }, async (request, reply) => {
    const where = pageRequest(request.query)
    const { items, total } = await pageOfRoles(db, callerOf(request), where)
    reply.header('Link', pageLinks('/api/roles', request.query, where, total))
    return { success: true, data: items, pagination: pagination(where, total) }
  })

  app.get('/api/roles/:id', { schema: getRoleById, config }, async (request, reply) => {
    const role = await getRole(db, callerOf(request), request.params.id)
    if (isNotModified(request, reply, tagOf(role))) return
    return { success: true, data: role }
  })

  app.post('/api/roles', { schema: createRole, config }, async (request, reply) => {
    const caller = callerOf(request)
    const id = await createOnce(db, clock, creationOf(request), async (db) => {
      requireAll(await administer(db, caller, 'roles.manage'), request.body.permissions)
      return insertRole(db, caller, request.body, clock().toISOString())
    })
    reply.code(201).header('Location', `/api/roles/${id}`)
    return { success: true, data: { id } }
  })

  app.patch('/api/roles/:id', { schema: changeRole, config }, async (request, reply) => {
    const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
    const role = await write(db, caller, async (db) => {
      const authority = await administer(db, caller, 'roles.manage')
      const role = await getRole(db, caller, id)
      precondition.check(tagOf(role))
      const content = { ...role, ...request.body }
      if (isSame(role, content)) return role
      requireAll(authority, [...role.permissions, ...content.permissions])
      await updateRole(db, caller, role, content, clock().toISOString())
      return getRole(db, caller, id)
    })
    reply.header('ETag', tagOf(role))
    return { success: true, data: role }
  })

  app.delete('/api/roles/:id', { schema: removeRole, config }, async (request) => {
    const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
    await write(db, caller, async (db) => {
      const authority = await administer(db, caller, 'roles.manage')
      const role = await getRole(db, caller, id)
      precondition.check(tagOf(role))
      requireAll(authority, role.permissions)
      await deleteRole(db, caller, role)
    })
    return { success: true, message: 'The role is deleted' }
  })

  app.put(
    '/api/users/:id/roles',
    { schema: setRoles, config: requires('users.manage') },
    async (request, reply) => {
      const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
      const { account, tag } = await write(db, caller, async (db) => {
        const change = await beginChange(db, caller, id, precondition)
        await replaceGrants(db, change, request.body.roles, clock().toISOString())
        return getAccount(db, caller, id)
      })
      reply.header('ETag', tag)
      return { success: true, data: account }
    },
  )
}

function isSame(role: Role, { name, permissions }: Pick<Role, 'name' | 'permissions'>): boolean {
  return name === role.name && String([...new Set(permissions)].sort()) === String(role.permissions)
}

/** To say what a role allows is to grant it. @throws Problem exceeds_own_permissions */
function requireAll(authority: Authority, permissions: readonly string[]): void {
  if (authority.coversAll(permissions, 'all')) return
  throw exceedsOwnPermissions(
    'A role allows at most what you may do yourself for all classes, before it is changed and after.',
  )
}
