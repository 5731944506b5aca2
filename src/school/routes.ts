import type { Clock } from '../access/clock.ts'
import { authenticated, callerOf, requires } from '../access/guard.ts'
import type { Db } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import { changeAnswer, recordAnswer } from '../http/resource.ts'
import { getSchool, lockSchool, shownSchool, tagOf, updateSchool } from './queries.ts'
import * as schema from './schema.ts'

export interface SchoolParts {
  readonly db: Db
  readonly clock: Clock
}

export function schoolRoutes(app: App, { db, clock }: SchoolParts): void {
  app.get('/api/school', { schema: schema.getSchool, config: authenticated() }, async (request, reply) => {
    const school = await getSchool(db)
    return recordAnswer(request, reply, tagOf(school), shownSchool(school))
  })

  app.patch(
    '/api/school',
    { schema: schema.updateSchool, config: requires('school.manage') },
    async (request, reply) => {
      const precondition = preconditionOf(request)
      const change = async (tx: Tx) => {
        const before = await getSchool(tx)
        precondition.check(tagOf(before))
        return updateSchool(tx, before, request.body, clock().toISOString())
      }
      const school = await write(db, callerOf(request), change, lockSchool)
      return changeAnswer(reply, tagOf(school), shownSchool(school))
    },
  )
}
