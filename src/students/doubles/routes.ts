import type { Clock } from '../../access/clock.ts'
import { callerOf, requires } from '../../access/guard.ts'
import type { Db } from '../../db/tables.ts'
import { write } from '../../events/write.ts'
import type { App } from '../../http/context.ts'
import { pageAnswer, pageRequest } from '../../http/resource.ts'
import { pageOfDoubles } from './pages.ts'
import * as schema from './schema.ts'
import { DoubleSearch } from './search.ts'
import { settleDouble } from './settling.ts'

export interface DoubleParts {
  readonly db: Db
  readonly clock: Clock
}

export function doubleRoutes(app: App, { db, clock }: DoubleParts): void {
  const search = new DoubleSearch(db)
  app.addHook('onClose', async () => search.close())

  app.get(
    '/api/doubles',
    { schema: schema.listDoubles, config: requires('students.view', { besides: 'students.sensitive' }) },
    async (request, reply) => {
      const pairs = await search.pairs()
      const page = await pageOfDoubles(db, pairs, callerOf(request), pageRequest(request.query))
      return pageAnswer(request, reply, page)
    },
  )

  app.put(
    '/api/doubles/:id/:other',
    { schema: schema.updateDouble, config: requires('students.update') },
    async (request) => {
      const caller = callerOf(request)
      const { id, other } = request.params
      const isDifferent = request.body.different
      const saying = { isDifferent, by: caller.userId, now: clock().toISOString() }
      await write(db, caller, (tx, authority) => settleDouble(tx, authority, [id, other], saying))
      const ids = [id, other].sort((a, b) => a - b)
      return { success: true as const, data: { ids, different: isDifferent } }
    },
  )
}
