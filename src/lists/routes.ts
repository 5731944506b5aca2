import type { Authority } from '../access/authority.ts'
import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import { lockPlatform } from '../access/platform.ts'
import type { Db } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { entityTag, preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import * as answer from '../http/resource.ts'
import { allOrFaults } from '../http/validation.ts'
import { checkFilters } from '../students/list-request.ts'
import { askableFields, ownConditions, ownPrefix } from '../students/own-field-filters.ts'
import type { Parts } from '../users/parts.ts'
import { deleteList, insertList, updateList } from './changes.ts'
import { checkColumns, checkNumber, mergeFilters } from './parameters.ts'
import { getList, pageOfLists } from './queries.ts'
import * as schema from './schema.ts'

export function listRoutes(app: App, { db, clock }: Pick<Parts, 'db' | 'clock'>): void {
  const viewing = requires('students.view')
  const managing = requires('lists.manage', { forAllClasses: true })
  const now = () => clock().toISOString()

  app.get('/api/lists', { schema: schema.listLists, config: viewing }, (request, reply) =>
    answer.page(request, reply, (where) => pageOfLists(db, where)),
  )

  app.get('/api/lists/:id', { schema: schema.getList, config: viewing }, async (request, reply) => {
    const list = await getList(db, request.params.id)
    return answer.record(request, reply, entityTag([list]), list)
  })

  app.post('/api/lists', { schema: schema.createList, config: managing }, async (request, reply) => {
    const { body } = request
    const insert = async (tx: Tx) => {
      await checkAsked(tx, body)
      return insertList(tx, body, now())
    }
    const id = await createOnce(db, clock, creationOf(request), insert, lockPlatform)
    return answer.creation(request, reply, id)
  })

  app.patch('/api/lists/:id', { schema: schema.updateList, config: managing }, async (request, reply) => {
    const [caller, precondition] = [callerOf(request), preconditionOf(request)]
    const { body: patch, params } = request
    const change = async (tx: Tx, authority: Authority) => {
      const before = await getList(tx, params.id)
      precondition.check(entityTag([before]))
      await checkAsked(tx, patch, patch.filters && mergeFilters(before.filters, patch.filters))
      await updateList(tx, before, patch, now())
      const after = await getList(tx, params.id)
      const isSeen = authority.scopeOf('students.view') !== undefined
      return { shown: isSeen ? after : { id: after.id }, tag: entityTag([after]) }
    }
    const { shown, tag } = await write(db, caller, change, lockPlatform)
    return answer.change(reply, tag, shown)
  })

  app.delete('/api/lists/:id', { schema: schema.deleteList, config: managing }, async (request) => {
    const [caller, precondition] = [callerOf(request), preconditionOf(request)]
    const remove = async (tx: Tx) => {
      const before = await getList(tx, request.params.id)
      precondition.check(entityTag([before]))
      await deleteList(tx, before, now())
    }
    await write(db, caller, remove, lockPlatform)
    return answer.removal('The list is deleted')
  })
}

/** What of a list is looked at together. */
interface AskedOfList {
  readonly filters?: object
  readonly columns?: readonly string[] | null
}

/**
 * @param merged the filters that the list would have
 * @throws Problem validation_failed that tells all that is wrong with the columns and the filters
 */
async function checkAsked(db: Db, { filters = {}, columns }: AskedOfList, merged = filters): Promise<void> {
  const names = [...Object.keys(filters), ...(columns ?? [])]
  const fields = names.some((name) => name.startsWith(ownPrefix)) ? await askableFields(db) : []
  allOrFaults(
    () => checkColumns(columns ?? [], fields),
    () => checkFilters(merged, '/filters'),
    () => ownConditions({ ...filters }, fields, '/filters'),
    () => checkNumber(merged),
  )
}
