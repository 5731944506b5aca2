import type { FastifyRequest } from 'fastify'
import { getAuthority } from '../access/authority.ts'
import { authenticated, callerOf, requires } from '../access/guard.ts'
import { getClass } from '../classes/queries.ts'
import { write } from '../events/write.ts'
import type { App } from '../http/context.ts'
import { allOrFaults } from '../http/validation.ts'
import { invalidField } from '../problems.ts'
import { getRole } from '../roles/role-records.ts'
import { getStudent } from '../students/queries.ts'
import type { StudentParts } from '../students/routes.ts'
import { getAccount } from '../users/accounts.ts'
import { againWhereTaken } from './again-where-taken.ts'
import {
  auditEntries,
  type Entries,
  entriesAsked,
  historyOf,
  readerOfChanges,
  shownEntry,
} from './entries.ts'
import * as schema from './schema.ts'
import { readTime } from './times.ts'
import { lockRecords, undoChangeSet } from './undo.ts'
import { readerOfUndone } from './undone-entries.ts'

export function auditRoutes(app: App, { db, clock, lists }: StudentParts): void {
  const answer = async (request: FastifyRequest, { rows, next }: Entries) => {
    const authority = await getAuthority(db, callerOf(request).userId)
    const changesOf = await readerOfChanges(db, rows)
    const undoneOf = await readerOfUndone(db, rows)
    return {
      success: true as const,
      data: rows.map((row) => ({ ...shownEntry(authority, row, changesOf(row)), ...undoneOf(row) })),
      next,
    }
  }

  app.get(
    '/api/students/:id/history',
    { schema: schema.listStudentHistory, config: requires('students.view') },
    async (request) => {
      const [{ id }, { scope }] = [request.params, callerOf(request)]
      await getStudent(db, { scope, scopeBesides: [] }, id)
      return answer(request, await historyOf(db, 'student', id, scope, entriesAsked(request.query)))
    },
  )

  app.get(
    '/api/classes/:id/history',
    { schema: schema.listClassHistory, config: requires('classes.view') },
    async (request) => {
      const { id } = request.params
      await getClass(db, id, callerOf(request).scope)
      return answer(request, await historyOf(db, 'class', id, 'all', entriesAsked(request.query)))
    },
  )

  app.get(
    '/api/users/:id/history',
    { schema: schema.listUserHistory, config: requires('users.view') },
    async (request) => {
      const { id } = request.params
      await getAccount(db, id)
      return answer(request, await historyOf(db, 'account', id, 'all', entriesAsked(request.query)))
    },
  )

  app.get(
    '/api/roles/:id/history',
    { schema: schema.listRoleHistory, config: requires('roles.manage') },
    async (request) => {
      const { id } = request.params
      await getRole(db, id)
      return answer(request, await historyOf(db, 'role', id, 'all', entriesAsked(request.query)))
    },
  )

  app.get('/api/audit', { schema: schema.listAudit, config: authenticated() }, async (request) => {
    const { actor, record, record_id: recordId, action, since, until } = request.query
    const { userId } = callerOf(request)
    if (actor !== 'me') (await getAuthority(db, userId)).require('audit.view')
    const [by, from, to, asked] = allOrFaults(
      () => (actor === 'me' ? userId : actor ? readActor(actor) : undefined),
      () => timeOf('since', since),
      () => timeOf('until', until),
      () => entriesAsked(request.query),
    )
    const filter = { actor: by, record, recordId, action, since: from, until: to }
    return answer(request, await auditEntries(db, filter, asked))
  })

  app.post(
    '/api/change-sets/:id/undo',
    { schema: schema.undoChangeSet, config: authenticated() },
    async (request) => {
      const [caller, { id }, now] = [callerOf(request), request.params, clock()]
      const data = await againWhereTaken(() =>
        write(
          db,
          caller,
          (tx, authority) => undoChangeSet({ tx, authority, by: caller.userId, now }, id),
          (db) => lockRecords(db, id),
        ),
      )
      lists.changed()
      return { success: true as const, data }
    },
  )
}

/** @throws Problem validation_failed */
function readActor(actor: string): number {
  if (/^\d{1,15}$/.test(actor)) return Number(actor)
  throw invalidField('/actor', { code: 'invalid', detail: 'must be the id of an account, or me' })
}

/** @throws Problem validation_failed */
function timeOf(name: string, given = ''): string | undefined {
  const time = readTime(given)
  if (time !== undefined || given === '') return time
  throw invalidField(`/${name}`, {
    code: 'invalid',
    detail: 'must be a day, as 2026-09-01, or an instant, as 2026-09-01T08:00:00Z',
  })
}
