import type { FastifyRequest } from 'fastify'
import { permissionDeniedForAll } from '../access/admission.ts'
import type { Authority } from '../access/authority.ts'
import type { Clock } from '../access/clock.ts'
import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import { lockPlatform } from '../access/platform.ts'
import { isInScope, type Scope } from '../access/scope.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { isNotModified, preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import { entityTag } from '../http/entity-tag.ts'
import { pageLinks, pageRequest, pagination } from '../http/paging.ts'
import { Problem } from '../problems.ts'
import { deleteClass, insertClass, updateClass } from './changes.ts'
import { pageOfClasses } from './pages.ts'
import { findClass, type ListedClass, lockClass } from './queries.ts'
import * as schema from './schema.ts'

export interface ClassParts {
  readonly db: Db
  readonly clock: Clock
}

export function classRoutes(app: App, { db, clock }: ClassParts): void {
  const now = () => clock().toISOString()

  app.get(
    '/api/classes',
    { schema: schema.listClasses, config: requires('classes.view') },
    async (request, reply) => {
      const where = pageRequest(request.query)
      const { search = '', archived } = request.query
      const list = { search, archived: archived && archived === 'true' }
      const { items, total } = await pageOfClasses(db, callerOf(request), list, where)
      reply.header('Link', pageLinks('/api/classes', request.query, where, total))
      return { success: true, data: items, pagination: pagination(where, total) }
    },
  )

  app.get(
    '/api/classes/:id',
    { schema: schema.getClass, config: requires('classes.view') },
    async (request, reply) => {
      const caller = callerOf(request)
      const found = existing(await findClass(db, caller, request.params.id, caller.scope))
      if (isNotModified(request, reply, tagOf(found))) return
      return { success: true, data: found }
    },
  )

  app.post(
    '/api/classes',
    { schema: schema.createClass, config: requires('classes.manage'), onRequest: isForAllClasses },
    async (request, reply) => {
      const caller = callerOf(request)
      const id = await createOnce(db, clock, creationOf(request), async (db, authority) => {
        requireAll(managedBy(authority))
        return insertClass(db, caller, request.body, now())
      })
      reply.code(201).header('Location', `/api/classes/${id}`)
      return { success: true, data: { id } }
    },
  )

  app.patch(
    '/api/classes/:id',
    { schema: schema.updateClass, config: requires('classes.manage') },
    async (request, reply) => {
      const caller = callerOf(request)
      const { id } = request.params
      const precondition = preconditionOf(request)
      const change = async (db: Db, authority: Authority) => {
        const scope = managedBy(authority)
        const before = existing(await findClass(db, caller, id, scope))
        precondition.check(tagOf(before))
        const { label = before.label } = request.body
        if (label !== before.label) requireAll(scope)
        await updateClass(db, caller, before, request.body, now())
        const after = existing(await findClass(db, caller, id, scope))
        const isSeen = isInScope(authority.scopeOf('classes.view'), id)
        return { shown: isSeen ? after : { id }, tag: tagOf(after) }
      }
      const { shown, tag } = await write(db, caller, change, (db) => lockClass(db, id))
      reply.header('ETag', tag)
      return { success: true, data: shown }
    },
  )

  app.delete(
    '/api/classes/:id',
    { schema: schema.deleteClass, config: requires('classes.manage'), onRequest: isForAllClasses },
    async (request) => {
      const caller = callerOf(request)
      const { id } = request.params
      const precondition = preconditionOf(request)
      const remove = async (db: Db, authority: Authority) => {
        const scope = requireAll(managedBy(authority))
        precondition.check(tagOf(existing(await findClass(db, caller, id, scope))))
        await deleteClass(db, caller, id, now())
      }
      await write(db, caller, remove, async (db) => {
        await lockPlatform(db)
        await lockClass(db, id)
      })
      return { success: true, message: 'The class is deleted' }
    },
  )
}

/** @throws Problem class_not_found, also for a class that is out of the caller's scope */
function existing(found: ListedClass | undefined): ListedClass {
  if (found !== undefined) return found
  throw new Problem('class_not_found', 'There is no class with this id; GET /api/classes lists the classes.')
}

/** The number of students is not part of the version: it changes with the students, whose records have their own. */
function tagOf(shown: ListedClass): string {
  return entityTag([shown])
}

/** Asked with the permission, before the body is read. @throws Problem permission_denied */
async function isForAllClasses(request: FastifyRequest): Promise<void> {
  requireAll(callerOf(request).scope)
}

/** @throws Problem permission_denied */
function managedBy(authority: Authority): Scope {
  return authority.require('classes.manage')
}

/**
 * What concerns the whole school: creating and deleting classes, and labels. A taken label would tell of a class out
 * of scope.
 * @throws Problem permission_denied
 */
function requireAll(scope: Scope): Scope {
  if (scope === 'all') return scope
  throw permissionDeniedForAll('classes.manage')
}
