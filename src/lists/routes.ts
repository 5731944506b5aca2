import type { Authority } from '../access/authority.ts'
import type { Clock } from '../access/clock.ts'
import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import { lockPlatform } from '../access/platform.ts'
import type { Db } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import {
  changeAnswer,
  creationAnswer,
  pageAnswer,
  pageRequest,
  recordAnswer,
  removalAnswer,
} from '../http/resource.ts'
import { deleteList, insertList, updateList } from './changes.ts'
import { checkColumns } from './parameters.ts'
import { getList, pageOfLists, tagOf } from './queries.ts'
import * as schema from './schema.ts'

export interface ListParts {
  readonly db: Db
  readonly clock: Clock
}

export function listRoutes(app: App, { db, clock }: ListParts): void {
  const viewing = requires('students.view')
  const managing = requires('lists.manage', { forAllClasses: true })
  const now = () => clock().toISOString()

  app.get('/api/lists', { schema: schema.listLists, config: viewing }, async (request, reply) =>
    pageAnswer(request, reply, await pageOfLists(db, pageRequest(request.query))),
  )

  app.get('/api/lists/:id', { schema: schema.getList, config: viewing }, async (request, reply) => {
    const list = await getList(db, request.params.id)
    return recordAnswer(request, reply, tagOf(list), list)
  })

  app.post('/api/lists', { schema: schema.createList, config: managing }, async (request, reply) => {
    const { body } = request
    checkColumns(body.columns)
    const insert = (tx: Tx) => insertList(tx, body, now())
    const id = await createOnce(db, clock, creationOf(request), insert, lockPlatform)
    return creationAnswer(request, reply, id)
  })

  app.patch('/api/lists/:id', { schema: schema.updateList, config: managing }, async (request, reply) => {
    const [caller, precondition] = [callerOf(request), preconditionOf(request)]
    const { body: patch, params } = request
    checkColumns(patch.columns)
    const change = async (tx: Tx, authority: Authority) => {
      const before = await getList(tx, params.id)
      precondition.check(tagOf(before))
      await updateList(tx, before, patch, now())
      const after = await getList(tx, params.id)
      const isSeen = authority.scopeOf('students.view') !== undefined
      return { shown: isSeen ? after : { id: after.id }, tag: tagOf(after) }
    }
    const { shown, tag } = await write(db, caller, change, lockPlatform)
    return changeAnswer(reply, tag, shown)
  })

  app.delete('/api/lists/:id', { schema: schema.deleteList, config: managing }, async (request) => {
    const [caller, precondition] = [callerOf(request), preconditionOf(request)]
    const remove = async (tx: Tx) => {
      const before = await getList(tx, request.params.id)
      precondition.check(tagOf(before))
      await deleteList(tx, before, now())
    }
    await write(db, caller, remove, lockPlatform)
    return removalAnswer('The list is deleted')
  })
}
