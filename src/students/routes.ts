import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import { write } from '../events/write.ts'
import { preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import * as answer from '../http/resource.ts'
import type { Parts } from '../users/parts.ts'
import { lockStudent, updateStudent } from './changes.ts'
import { checkNewStudent } from './creation.ts'
import { checkNoDoubles } from './doubles.ts'
import { askedPage } from './list-request.ts'
import { emptyPage } from './lists/asked.ts'
import type { StudentLists } from './lists/lists.ts'
import { tellHolder } from './numbers/holder.ts'
import { nextNumber } from './numbers/next.ts'
import { getNextNumber } from './numbers/schema.ts'
import { getStudent, insertStudent } from './queries.ts'
import * as schema from './schema.ts'
import { settlePair } from './settled-pairs.ts'

/** What routes work with that read or write students. */
export type StudentParts = Pick<Parts, 'db' | 'clock'> & { readonly lists: StudentLists }

export function studentRoutes(app: App, { db, clock, lists }: StudentParts): void {
  const view = requires('students.view', { besides: 'students.sensitive' })
  const [create, update] = [requires('students.create'), requires('students.update')]

  app.get('/api/students', { schema: schema.listStudents, config: view }, async (request, reply) => {
    const asked = await askedPage(db, request.query, callerOf(request))
    const page = asked === undefined ? emptyPage : await lists.page(asked)
    return answer.jsonPage(request, reply, page)
  })

  app.get(
    '/api/students/next-number',
    { schema: getNextNumber, config: requires('students.create', { besides: 'students.view' }) },
    async (request) => {
      const { scopeBesides } = callerOf(request)
      return { success: true, data: { admission_number: await nextNumber(db, scopeBesides) } }
    },
  )

  app.get('/api/students/:id', { schema: schema.getStudent, config: view }, async (request, reply) => {
    const { student, tag } = await getStudent(db, callerOf(request), request.params.id)
    return answer.record(request, reply, tag, student)
  })

  app.post('/api/students', { schema: schema.createStudent, config: create }, async (request, reply) => {
    const { body, query } = request
    const caller = callerOf(request)
    const work = () =>
      createOnce(db, clock, creationOf(request), async (tx, authority, isLast) => {
        const now = clock()
        const besides = { otherThan: query.other_than, now }
        const { student, own, others } = await checkNewStudent(tx, authority, body, besides)
        if (query.duplicates === 'refuse') await checkNoDoubles(tx, authority, student, others)
        const id = await insertStudent(tx, student, now.toISOString(), own, isLast && others.length === 0)
        for (const other of others) await settlePair(tx, id, other, caller.userId, now.toISOString())
        return id
      })
    const id = await tellHolder(db, caller, body.admission_number, work)
    lists.changed()
    return answer.creation(request, reply, id)
  })

  app.patch('/api/students/:id', { schema: schema.updateStudent, config: update }, async (request, reply) => {
    const caller = callerOf(request)
    const precondition = preconditionOf(request)
    const { body: patch, params } = request
    const change = { precondition, patch, now: clock() }
    const work = () =>
      write(
        db,
        caller,
        (db, authority) => updateStudent(db, authority, params.id, change),
        (db) => lockStudent(db, params.id),
      )
    const { student, tag } = await tellHolder(db, caller, patch.admission_number, work)
    lists.changed()
    return answer.change(reply, tag, student)
  })
}
