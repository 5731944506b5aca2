import type { Authority } from '../access/authority.ts'
import { permissionDeniedForAll } from '../access/denials.ts'
import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import { lockPlatform } from '../access/platform.ts'
import { isInScope } from '../access/scope.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { entityTag, preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import * as answer from '../http/resource.ts'
import type { Parts } from '../users/parts.ts'
import { deleteClass, insertClass, updateClass } from './changes.ts'
import { pageOfClasses } from './pages.ts'
import { getClass, lockClass } from './queries.ts'
import * as schema from './schema.ts'

export function classRoutes(app: App, { db, clock }: Pick<Parts, 'db' | 'clock'>): void {
  const now = () => clock().toISOString()
  const [view, manage] = [requires('classes.view'), requires('classes.manage')]
  const manageAll = requires('classes.manage', { forAllClasses: true })

  app.get('/api/classes', { schema: schema.listClasses, config: view }, async (request, reply) => {
    const { search = '', archived } = request.query
    const list = { search, archived: archived && archived === 'true' }
    const { scope } = callerOf(request)
    return answer.page(request, reply, (where) => pageOfClasses(db, scope, list, where))
  })

  app.get('/api/classes/:id', { schema: schema.getClass, config: view }, async (request, reply) => {
    const found = await getClass(db, request.params.id, callerOf(request).scope)
    return answer.record(request, reply, entityTag([found]), found)
  })

  app.post('/api/classes', { schema: schema.createClass, config: manageAll }, async (request, reply) => {
    const id = await createOnce(db, clock, creationOf(request), (tx) => insertClass(tx, request.body, now()))
    return answer.creation(request, reply, id)
  })

  app.patch('/api/classes/:id', { schema: schema.updateClass, config: manage }, async (request, reply) => {
    const { id } = request.params
    const precondition = preconditionOf(request)
    const change = async (db: Tx, authority: Authority) => {
      const scope = authority.require('classes.manage')
      const before = await getClass(db, id, scope)
      precondition.check(entityTag([before]))
      const { label = before.label } = request.body
      // A taken label would tell of a class out of scope.
      if (label !== before.label && scope !== 'all') throw permissionDeniedForAll('classes.manage')
      await updateClass(db, before, request.body, now())
      const after = await getClass(db, id, scope)
      const isSeen = isInScope(authority.scopeOf('classes.view'), id)
      return { shown: isSeen ? after : { id }, tag: entityTag([after]) }
    }
    const { shown, tag } = await write(db, callerOf(request), change, (db) => lockClass(db, id))
    return answer.change(reply, tag, shown)
  })

  app.delete('/api/classes/:id', { schema: schema.deleteClass, config: manageAll }, async (request) => {
    const { id } = request.params
    const precondition = preconditionOf(request)
    const remove = async (tx: Tx) => {
      const found = await getClass(tx, id, 'all')
      precondition.check(entityTag([found]))
      await deleteClass(tx, found, now())
    }
    await write(db, callerOf(request), remove, async (db) => {
      await lockPlatform(db)
      await lockClass(db, id)
    })
    return answer.removal('The class is deleted')
  })
}
