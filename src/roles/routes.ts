import { type Authority, exceedsOwnPermissions } from '../access/authority.ts'
import type { Clock } from '../access/clock.ts'
import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import { isOfPlatform, permissions, permissionTable } from '../access/permissions.ts'
import { lockPlatform } from '../access/platform.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { isNotModified, preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import { entityTag } from '../http/entity-tag.ts'
import { pageLinks, pageRequest, pagination } from '../http/paging.ts'
import { changedAccount, writeAccount } from '../users/administration.ts'
import { replaceGrants } from './grants.ts'
import { deleteRole, getRole, insertRole, pageOfRoles, type Role, updateRole } from './role-records.ts'
import * as schema from './schema.ts'

export interface RoleParts {
  readonly db: Db
  readonly clock: Clock
}

const tagOf = (role: Role) => entityTag([role])

export function roleRoutes(app: App, { db, clock }: RoleParts): void {
  const config = requires('roles.manage')

  app.get('/api/permissions', { schema: schema.listPermissions, config }, async () => ({
    success: true,
    data: permissions.map((name) => ({
      name,
      description: permissionTable[name],
      all_classes_only: isOfPlatform(name),
    })),
  }))

  app.get('/api/roles', { schema: schema.listRoles, config }, async (request, reply) => {
    const where = pageRequest(request.query)
    const { items, total } = await pageOfRoles(db, callerOf(request), where)
    reply.header('Link', pageLinks('/api/roles', request.query, where, total))
    return { success: true, data: items, pagination: pagination(where, total) }
  })

  app.get('/api/roles/:id', { schema: schema.getRole, config }, async (request, reply) => {
    const role = await getRole(db, callerOf(request), request.params.id)
    if (isNotModified(request, reply, tagOf(role))) return
    return { success: true, data: role }
  })

  app.post('/api/roles', { schema: schema.createRole, config }, async (request, reply) => {
    const caller = callerOf(request)
    const insert = (db: Db, authority: Authority) => {
      requireAll(authority, request.body.permissions)
      return insertRole(db, caller, request.body, clock().toISOString())
    }
    const id = await createOnce(db, clock, creationOf(request), insert, lockPlatform)
    reply.code(201).header('Location', `/api/roles/${id}`)
    return { success: true, data: { id } }
  })

  app.patch('/api/roles/:id', { schema: schema.updateRole, config }, async (request, reply) => {
    const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
    const change = async (db: Db, authority: Authority) => {
      const role = await getRole(db, caller, id)
      precondition.check(tagOf(role))
      const content = { ...role, ...request.body }
      if (isSame(role, content)) return role
      requireAll(authority, [...role.permissions, ...content.permissions])
      await updateRole(db, caller, role, content, clock().toISOString())
      return getRole(db, caller, id)
    }
    const role = await write(db, caller, change, lockPlatform)
    reply.header('ETag', tagOf(role))
    return { success: true, data: role }
  })

  app.delete('/api/roles/:id', { schema: schema.deleteRole, config }, async (request) => {
    const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
    const remove = async (db: Db, authority: Authority) => {
      const role = await getRole(db, caller, id)
      precondition.check(tagOf(role))
      requireAll(authority, role.permissions)
      await deleteRole(db, caller, role)
    }
    await write(db, caller, remove, lockPlatform)
    return { success: true, message: 'The role is deleted' }
  })

  app.put(
    '/api/users/:id/roles',
    { schema: schema.updateUserRoles, config: requires('users.manage') },
    async (request, reply) => {
      const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
      const { account, tag } = await writeAccount(db, caller, id, precondition, async (db, change) => {
        await replaceGrants(db, change, request.body.roles, clock().toISOString())
        return changedAccount(db, change)
      })
      reply.header('ETag', tag)
      return { success: true, data: account }
    },
  )
}

function isSame(role: Role, { name, permissions }: Pick<Role, 'name' | 'permissions'>): boolean {
  return name === role.name && String([...new Set(permissions)].sort()) === String(role.permissions)
}

/**
 * Setting the permissions of a role is a way to grant them.
 * @throws Problem exceeds_own_permissions
 */
function requireAll(authority: Authority, permissions: readonly string[]): void {
  if (authority.coversAll(permissions, 'all')) return
  throw exceedsOwnPermissions(
    'A role allows at most what you may do yourself for all classes, before it is changed and after.',
  )
}
