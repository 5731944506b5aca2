import type { Clock } from '../access/clock.ts'
import { callerOf, requires } from '../access/guard.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import type { App } from '../http/context.ts'
import { pageLinks, pageRequest, pagination } from '../http/paging.ts'
import { Problem } from '../problems.ts'
import { pageOfStudents } from './pages.ts'
import { findStudent, insertStudent } from './queries.ts'
import { createStudent, getStudent, listStudents } from './schema.ts'

export interface StudentParts {
  readonly db: Db
  readonly clock: Clock
}

export function studentRoutes(app: App, { db, clock }: StudentParts): void {
  app.get(
    '/api/students',
    { schema: listStudents, config: requires('students.view', 'in its query') },
    async (request, reply) => {
      const where = pageRequest(request.query)
      const { search = '', class_id: classId, sort = 'id' } = request.query
      const { items, total } = await pageOfStudents(db, callerOf(request), { search, classId, sort }, where)
      reply.header('Link', pageLinks('/api/students', request.query, where, total))
      return { success: true, data: items, pagination: pagination(where, total) }
    },
  )

  app.get(
    '/api/students/:id',
    { schema: getStudent, config: requires('students.view', 'in its query') },
    async (request) => {
      const student = await findStudent(db, callerOf(request), request.params.id)
      if (student === undefined) throw new Problem('student_not_found', 'There is no student with this id.')
      return { success: true, data: student }
    },
  )

  app.post(
    '/api/students',
    { schema: createStudent, config: requires('students.create') },
    async (request, reply) => {
      const caller = callerOf(request)
      const id = await write(db, caller, (db) =>
        insertStudent(db, caller, request.body, clock().toISOString()),
      )
      reply.code(201).header('Location', `/api/students/${id}`)
      return { success: true, data: { id } }
    },
  )
}
