import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Authority, getAuthority } from '../../access/authority.ts'
import type { Clock } from '../../access/clock.ts'
import { callerOf, type Declared } from '../../access/guard.ts'
import type { Page } from '../../db/pages.ts'
import type { Db } from '../../db/tables.ts'
import type { Tx } from '../../events/log.ts'
import { seenVersionOf, statedVersionOf } from '../../http/conditions.ts'
import type { App } from '../../http/context.ts'
import type { Static } from '../../http/json-schema.ts'
import * as answer from '../../http/resource.ts'
import { applyOrReplan, judgePlan } from '../applying/apply-request.ts'
import { checkUndo, requestUndo } from '../applying/undo-request.ts'
import { keepAnswers } from '../mappings/kept-answers.ts'
import type { Import } from '../messages.ts'
import type { ImportRow } from '../model.ts'
import { getImport } from '../queries.ts'
import * as schema from '../schema.ts'
import { Sight } from '../sight.ts'
import { checkAskedRows } from './asked-rows.ts'
import { type Reader, tagFor } from './reader.ts'
import { groupsPage, rowsPage, type ShownGroup } from './rows-page.ts'
import type { ShownRow } from './shown-rows.ts'

/** How many characters the rows of a page may have, as they are stored: a thousand of usual ones have less than one million. */
const mostCharacters = 8_000_000

type RequestForOne = FastifyRequest<{ Params: { id: number } }>

export interface PlanParts {
  readonly db: Db
  readonly clock: Clock
  /** Who may import. */
  readonly importing: Declared
  readonly readerFor: (request: FastifyRequest) => Promise<Reader>
  /** Changes an import that the caller sees, in a write, and shows it as it is then. `before` is as the write finds it. */
  readonly change: (
    request: RequestForOne,
    reply: FastifyReply,
    work: (tx: Tx, before: ImportRow, reader: Reader) => Promise<void>,
  ) => Promise<{ success: true; data: Static<typeof Import> }>
}

/** What is done with the plan of an import: it is read, applied, and undone. */
export function planRoutes(app: App, { db, clock, importing, readerFor, change }: PlanParts): void {
  const now = () => clock().toISOString()

  /** Has a step begun, which is not waited for. */
  const begin: PlanParts['change'] = async (request, reply, work) => {
    const answered = await change(request, reply, work)
    reply.code(202)
    return answered
  }

  app.post(
    '/api/imports/:id/apply',
    { schema: schema.applyImport, config: importing },
    async (request, reply) => {
      const precondition = seenVersionOf(request)
      const { params, body } = request
      const caller = callerOf(request)
      const reader = await readerFor(request)
      const planned = await getImport(db, params.id, reader.sight)
      precondition.check(tagFor(planned, reader))
      const judgement = await judgePlan(db, planned, caller.userId, body)
      const answered = await begin(request, reply, async (tx, before, reader) => {
        precondition.check(tagFor(before, reader))
        await applyOrReplan(tx, before, judgement, caller, now())
        const { facts } = before
        if (judgement.outdated === undefined && facts !== null)
          await keepAnswers(tx, { ...before, facts }, caller.userId, now())
      })
      if (judgement.outdated !== undefined) {
        reply.removeHeader('ETag')
        throw judgement.outdated
      }
      return answered
    },
  )

  app.post(
    '/api/imports/:id/undo',
    { schema: schema.undoImport, config: importing },
    async (request, reply) => {
      const caller = callerOf(request)
      const precondition = statedVersionOf(request)
      const reader = await readerFor(request)
      const applied = await getImport(db, request.params.id, reader.sight)
      precondition.check(tagFor(applied, reader))
      await checkUndo(db, applied, caller.userId, clock())
      return begin(request, reply, async (tx, before, reader) => {
        precondition.check(tagFor(before, reader))
        await requestUndo(tx, before, caller, now())
      })
    },
  )

  app.get(
    '/api/imports/:id/rows',
    { schema: schema.listImportRows, config: importing },
    async (request, reply) => {
      const { userId } = callerOf(request)
      const authority: Authority = await getAuthority(db, userId)
      const imported = await getImport(db, request.params.id, new Sight(authority, userId))
      await checkAskedRows(db, imported, request.query)
      const page = request.query.group === 'true' ? groupsPage : rowsPage
      return answer.page(request, reply, (where): Promise<Page<ShownRow | ShownGroup>> => {
        return page(db, imported, authority, request.query, { ...where, mostCharacters })
      })
    },
  )
}
