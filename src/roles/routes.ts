import { type Authority, exceedsOwnPermissions } from '../access/authority.ts'
import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import { isOfPlatform, permissions, permissionTable } from '../access/permissions.ts'
import { lockPlatform } from '../access/platform.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { entityTag, preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import * as answer from '../http/resource.ts'
import { changedAccount, writeAccount } from '../users/administration.ts'
import type { Parts } from '../users/parts.ts'
import { replaceGrants } from './grants.ts'
import { deleteRole, getRole, insertRole, pageOfRoles, type Role, updateRole } from './role-records.ts'
import * as schema from './schema.ts'

export function roleRoutes(app: App, { db, clock }: Pick<Parts, 'db' | 'clock'>): void {
  const config = requires('roles.manage')

  app.get('/api/permissions', { schema: schema.listPermissions, config }, async () => ({
    success: true,
    data: permissions.map((name) => ({
      name,
      description: permissionTable[name].allows,
      all_classes_only: isOfPlatform(name),
    })),
  }))

  app.get('/api/roles', { schema: schema.listRoles, config }, (request, reply) =>
    answer.page(request, reply, (where) => pageOfRoles(db, where)),
  )

  app.get('/api/roles/:id', { schema: schema.getRole, config }, async (request, reply) => {
    const role = await getRole(db, request.params.id)
    return answer.record(request, reply, entityTag([role]), role)
  })

  app.post('/api/roles', { schema: schema.createRole, config }, async (request, reply) => {
    const insert = (db: Tx, authority: Authority) => {
      requireAll(authority, request.body.permissions)
      return insertRole(db, request.body, clock().toISOString())
    }
    const id = await createOnce(db, clock, creationOf(request), insert, lockPlatform)
    return answer.creation(request, reply, id)
  })

  app.patch('/api/roles/:id', { schema: schema.updateRole, config }, async (request, reply) => {
    const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
    const change = async (db: Tx, authority: Authority) => {
      const role = await getRole(db, id)
      precondition.check(entityTag([role]))
      const content = { ...role, ...request.body }
      if (isSame(role, content)) return role
      requireAll(authority, [...role.permissions, ...content.permissions])
      await updateRole(db, role, content, clock().toISOString())
      return getRole(db, id)
    }
    const role = await write(db, caller, change, lockPlatform)
    return answer.change(reply, entityTag([role]), role)
  })

  app.delete('/api/roles/:id', { schema: schema.deleteRole, config }, async (request) => {
    const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
    const remove = async (db: Tx, authority: Authority) => {
      const role = await getRole(db, id)
      precondition.check(entityTag([role]))
      requireAll(authority, role.permissions)
      await deleteRole(db, role, clock().toISOString())
    }
    await write(db, caller, remove, lockPlatform)
    return answer.removal('The role is deleted')
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
      return answer.change(reply, tag, account)
    },
  )
}

function isSame(role: Role, { name, permissions }: Pick<Role, 'name' | 'permissions'>): boolean {
  return name === role.name && String([...new Set(permissions)].sort()) === String(role.permissions)
}

/** Setting the permissions of a role is a way to grant them. @throws Problem exceeds_own_permissions */
function requireAll(authority: Authority, permissions: readonly string[]): void {
  if (authority.coversAll(permissions, 'all')) return
  throw exceedsOwnPermissions(
    'A role allows at most what you may do yourself for all classes, before it is changed and after.',
  )
}
