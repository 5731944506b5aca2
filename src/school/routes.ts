import { authenticated, callerOf, requires } from '../access/guard.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { entityTag, preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import * as answer from '../http/resource.ts'
import type { Parts } from '../users/parts.ts'
import { getSchool, lockSchool, shownSchool, updateSchool } from './queries.ts'
import * as schema from './schema.ts'

export function schoolRoutes(app: App, { db, clock }: Pick<Parts, 'db' | 'clock'>): void {
  const manage = requires('school.manage')
  app.get('/api/school', { schema: schema.getSchool, config: authenticated() }, async (request, reply) => {
    const school = await getSchool(db)
    return answer.record(request, reply, entityTag([school]), shownSchool(school))
  })

  app.patch('/api/school', { schema: schema.updateSchool, config: manage }, async (request, reply) => {
    const precondition = preconditionOf(request)
    const change = async (tx: Tx) => {
      const before = await getSchool(tx)
      precondition.check(entityTag([before]))
      return updateSchool(tx, before, request.body, clock().toISOString())
    }
    const school = await write(db, callerOf(request), change, lockSchool)
    return answer.change(reply, entityTag([school]), shownSchool(school))
  })
}
