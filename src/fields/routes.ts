import type { Authority } from '../access/authority.ts'
import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { entityTag, preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import * as answer from '../http/resource.ts'
import type { Parts } from '../users/parts.ts'
import { deleteField, insertField, updateField } from './changes.ts'
import { findFields, getField, lockFields } from './queries.ts'
import * as schema from './schema.ts'

export function fieldRoutes(app: App, { db, clock }: Pick<Parts, 'db' | 'clock'>): void {
  const now = () => clock().toISOString()
  const toView = requires('students.view')
  const toManage = requires('fields.manage', { forAllClasses: true })

  app.get('/api/fields', { schema: schema.listFields, config: toView }, async () => {
    return { success: true, data: await findFields(db) }
  })

  app.get('/api/fields/:id', { schema: schema.getField, config: toView }, async (request, reply) => {
    const found = await getField(db, request.params.id)
    return answer.record(request, reply, entityTag([found]), found)
  })

  app.post('/api/fields', { schema: schema.createField, config: toManage }, async (request, reply) => {
    const insert = (tx: Tx) => insertField(tx, request.body, now())
    const id = await createOnce(db, clock, creationOf(request), insert, lockFields)
    return answer.creation(request, reply, id)
  })

  app.patch('/api/fields/:id', { schema: schema.updateField, config: toManage }, async (request, reply) => {
    const { id } = request.params
    const precondition = preconditionOf(request)
    const change = async (tx: Tx, authority: Authority) => {
      const before = await getField(tx, id)
      precondition.check(entityTag([before]))
      await updateField(tx, before, request.body, now())
      const after = await getField(tx, id)
      const isSeen = authority.scopeOf('students.view') !== undefined
      return { shown: isSeen ? after : { id }, tag: entityTag([after]) }
    }
    const { shown, tag } = await write(db, callerOf(request), change, lockFields)
    return answer.change(reply, tag, shown)
  })

  app.delete('/api/fields/:id', { schema: schema.deleteField, config: toManage }, async (request) => {
    const { id } = request.params
    const precondition = preconditionOf(request)
    const remove = async (tx: Tx) => {
      const field = await getField(tx, id)
      precondition.check(entityTag([field]))
      await deleteField(tx, field, now())
    }
    await write(db, callerOf(request), remove, lockFields)
    return answer.removal('The field is deleted')
  })
}
