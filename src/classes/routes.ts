import type { FastifyRequest } from 'fastify'
import type { Authority } from '../access/authority.ts'
import type { Clock } from '../access/clock.ts'
import { permissionDeniedForAll } from '../access/denials.ts'
import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import { lockPlatform } from '../access/platform.ts'
import { isInScope, type Scope } from '../access/scope.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { entityTag, preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import {
  changeAnswer,
  creationAnswer,
  pageAnswer,
  pageRequest,
  recordAnswer,
  removalAnswer,
} from '../http/resource.ts'
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
      const { search = '', archived } = request.query
      const list = { search, archived: archived && archived === 'true' }
      const { scope } = callerOf(request)
      return pageAnswer(request, reply, await pageOfClasses(db, scope, list, pageRequest(request.query)))
    },
  )

  app.get(
    '/api/classes/:id',
    { schema: schema.getClass, config: requires('classes.view') },
    async (request, reply) => {
      const caller = callerOf(request)
      const found = existing(await findClass(db, request.params.id, caller.scope))
      return recordAnswer(request, reply, tagOf(found), found)
    },
  )

  app.post(
    '/api/classes',
    { schema: schema.createClass, config: requires('classes.manage'), onRequest: isForAllClasses },
    async (request, reply) => {
      const id = await createOnce(db, clock, creationOf(request), async (db, authority) => {
        requireAll(managedBy(authority))
        return insertClass(db, request.body, now())
      })
      return creationAnswer(request, reply, id)
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
        const before = existing(await findClass(db, id, scope))
        precondition.check(tagOf(before))
        const { label = before.label } = request.body
        if (label !== before.label) requireAll(scope)
        await updateClass(db, before, request.body, now())
        const after = existing(await findClass(db, id, scope))
        const isSeen = isInScope(authority.scopeOf('classes.view'), id)
        return { shown: isSeen ? after : { id }, tag: tagOf(after) }
      }
      const { shown, tag } = await write(db, caller, change, (db) => lockClass(db, id))
      return changeAnswer(reply, tag, shown)
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
        precondition.check(tagOf(existing(await findClass(db, id, scope))))
        await deleteClass(db, id, now())
      }
      await write(db, caller, remove, async (db) => {
        await lockPlatform(db)
        await lockClass(db, id)
      })
      return removalAnswer('The class is deleted')
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
