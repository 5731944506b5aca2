import type { Clock } from '../access/clock.ts'
import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import { andThen } from '../db/soon.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { answerWith, answerWithJson } from '../http/answer.ts'
import { isNotModified, preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import { pageInJson, pageLinks, pageRequest } from '../http/paging.ts'
import { lockStudent, updateStudent } from './changes.ts'
import { checkNewStudent } from './creation.ts'
import { pageOfStudents } from './pages.ts'
import { getStudent, insertStudent } from './queries.ts'
import { checkDateOfBirth } from './record.ts'
import * as schema from './schema.ts'
import { mergingAfterChanges } from './search-index.ts'

export interface StudentParts {
  readonly db: Db
  readonly clock: Clock
}

export function studentRoutes(app: App, { db, clock }: StudentParts): void {
  const hasChanged = mergingAfterChanges(app, db)

  app.get(
    '/api/students',
    { schema: schema.listStudents, config: requires('students.view', 'in its query') },
    (request, reply) => {
      const where = pageRequest(request.query)
      const { search = '', class_id: classId, sort = 'id' } = request.query
      const page = pageOfStudents(db, callerOf(request), { search, classId, sort }, where)
      return answerWithJson(
        andThen(page, ({ json, total }) => {
          reply.header('Link', pageLinks('/api/students', request.query, where, total))
          return pageInJson(reply, json, where, total)
        }),
      )
    },
  )

  app.get(
    '/api/students/:id',
    { schema: schema.getStudent, config: requires('students.view', 'in its query', 'students.sensitive') },
    (request, reply) =>
      answerWith(
        andThen(getStudent(db, callerOf(request), request.params.id), ({ student, tag }) =>
          isNotModified(request, reply, tag) ? undefined : { success: true, data: student },
        ),
      ),
  )

  app.post(
    '/api/students',
    { schema: schema.createStudent, config: requires('students.create') },
    async (request, reply) => {
      const caller = callerOf(request)
      const { body: student, query } = request
      checkDateOfBirth(student, clock())
      const id = await createOnce(db, clock, creationOf(request), async (db, authority) => {
        await checkNewStudent(db, authority, student, query.duplicates === 'refuse')
        return insertStudent(db, caller, student, clock().toISOString())
      })
      hasChanged()
      reply.code(201).header('Location', `/api/students/${id}`)
      return { success: true, data: { id } }
    },
  )

  app.patch(
    '/api/students/:id',
    { schema: schema.updateStudent, config: requires('students.update') },
    async (request, reply) => {
      const caller = callerOf(request)
      const precondition = preconditionOf(request)
      const { body: patch, params } = request
      checkDateOfBirth(patch, clock())
      const change = { precondition, patch, now: clock().toISOString() }
      const { student, tag } = await write(
        db,
        caller,
        (db, authority) => updateStudent(db, authority, params.id, change),
        (db) => lockStudent(db, params.id),
      )
      hasChanged()
      reply.header('ETag', tag)
      return { success: true, data: student }
    },
  )
}
