import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { callerOf, requires } from '../access/guard.ts'
import { lockRow } from '../db/row-locks.ts'
import { write } from '../events/write.ts'
import { preconditionOf, statedVersionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import * as answer from '../http/resource.ts'
import type { Deadlines } from '../server/deadlines.ts'
import type { StudentLists } from '../students/lists/lists.ts'
import { continueImport } from './continuing/continue-import.ts'
import { ImportJobs } from './jobs.ts'
import { mappingRoutes } from './mappings/routes.ts'
import { getImport, pageOfImports } from './queries.ts'
import * as schema from './schema.ts'
import { laterImports } from './showing/later-imports.ts'
import { type PlanParts, planRoutes } from './showing/plan-routes.ts'
import { listedTo, type Reader, readerWith, shownTo, tagFor } from './showing/reader.ts'
import { refusedRoutes } from './showing/refused-routes.ts'
import { requireKind } from './sight.ts'
import { moveTo, wrongState } from './states.ts'
import { steps } from './steps.ts'
import { templateRoutes } from './templates/routes.ts'
import { fileTooLarge, receiveFile, type UploadParts } from './upload.ts'

interface ImportParts extends Omit<UploadParts, 'holder'> {
  readonly lists: StudentLists
  readonly deadlines: Deadlines
}

/** @returns what works on imports beside the requests */
export function importRoutes(app: App, parts: ImportParts): ImportJobs {
  const { db, clock, lists, deadlines, maxBytes, ending } = parts
  const jobs = new ImportJobs({ db, clock, lists, log: app.log, steps })
  app.addHook('onClose', () => jobs.stop())
  const importing = requires('students.import', { instead: 'classes.manage' })
  const now = () => clock().toISOString()

  async function readerFor(request: FastifyRequest): Promise<Reader> {
    const { userId, readmit } = callerOf(request)
    return readerWith(db, await readmit(db), userId)
  }

  app.post('/api/imports', { schema: schema.createImport, config: importing }, async (request, reply) => {
    const { kind = 'students', mode = 'upsert', file_name: fileName = null } = request.query
    if (Number(request.headers['content-length']) > maxBytes) throw fileTooLarge(maxBytes)
    const id = await receiveFile(
      { db, clock, holder: jobs.holder, maxBytes, ending, endLater: (id) => jobs.endLater(id) },
      { kind, mode, fileName },
      { by: callerOf(request), check: (authority) => requireKind(authority, kind) },
      { body: request.body as Readable, allow: (ms) => deadlines.allow(request.raw, ms) },
    )
    jobs.look()
    reply.code(202).header('Location', `/api/imports/${id}`)
    return { success: true as const, data: { id } }
  })

  app.get('/api/imports', { schema: schema.listImports, config: importing }, async (request, reply) => {
    const reader = await readerFor(request)
    const { later_than: first, ...asked } = request.query
    const ids =
      first === undefined
        ? undefined
        : await laterImports(db, await getImport(db, first, reader.sight), reader)
    return answer.page(request, reply, async (where) => {
      const { items, total } = await pageOfImports(db, reader.sight, { ...asked, ids }, where)
      return { items: await listedTo(db, items, reader), total }
    })
  })

  app.get('/api/imports/:id', { schema: schema.getImport, config: importing }, async (request, reply) => {
    const reader = await readerFor(request)
    const imported = await getImport(db, request.params.id, reader.sight)
    return answer.record(request, reply, tagFor(imported, reader), await shownTo(db, imported, reader))
  })

  const change: PlanParts['change'] = async (request, reply, work) => {
    const { id } = request.params
    const caller = callerOf(request)
    const { imported, reader } = await write(
      db,
      caller,
      async (tx, authority) => {
        const reader = await readerWith(tx, authority, caller.userId)
        await work(tx, await getImport(tx, id, reader.sight), reader)
        return { imported: await getImport(tx, id, reader.sight), reader }
      },
      (db) => lockRow(db, 'imports', id),
    )
    jobs.look()
    return answer.change(reply, tagFor(imported, reader), await shownTo(db, imported, reader))
  }

  app.patch('/api/imports/:id', { schema: schema.updateImport, config: importing }, (request, reply) => {
    const precondition = preconditionOf(request)
    return change(request, reply, async (tx, before, reader) => {
      precondition.check(tagFor(before, reader))
      await continueImport(tx, before, request.body, callerOf(request), now())
    })
  })

  app.post(
    '/api/imports/:id/cancel',
    { schema: schema.cancelImport, config: importing },
    (request, reply) => {
      const precondition = statedVersionOf(request)
      return change(request, reply, async (tx, before, reader) => {
        precondition.check(tagFor(before, reader))
        if (await moveTo(tx, before.id, ['reading', 'question', 'planned'], 'cancelled', now())) return
        throw wrongState(before, 'cancelled')
      })
    },
  )

  planRoutes(app, { db, clock, importing, readerFor, change })
  refusedRoutes(app, { db, clock, importing })
  templateRoutes(app, db, importing)
  mappingRoutes(app, db)
  return jobs
}
