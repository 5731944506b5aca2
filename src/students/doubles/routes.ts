import { callerOf, requires } from '../../access/guard.ts'
import { write } from '../../events/write.ts'
import type { App } from '../../http/context.ts'
import * as answer from '../../http/resource.ts'
import type { Parts } from '../../users/parts.ts'
import { pageOfDoubles } from './pages.ts'
import * as schema from './schema.ts'
import { DoubleSearch } from './search.ts'
import { settleDouble } from './settling.ts'

export function doubleRoutes(app: App, { db, clock }: Pick<Parts, 'db' | 'clock'>): void {
  const view = requires('students.view', { besides: 'students.sensitive' })
  const update = requires('students.update')
  const search = new DoubleSearch(db)
  app.addHook('onClose', async () => search.close())

  app.get('/api/doubles', { schema: schema.listDoubles, config: view }, async (request, reply) => {
    const pairs = await search.pairs()
    return answer.page(request, reply, (where) => pageOfDoubles(db, pairs, callerOf(request), where))
  })

  app.put('/api/doubles/:id/:other', { schema: schema.updateDouble, config: update }, async (request) => {
    const caller = callerOf(request)
    const { id, other } = request.params
    const isDifferent = request.body.different
    const saying = { isDifferent, by: caller.userId, now: clock().toISOString() }
    await write(db, caller, (tx, authority) => settleDouble(tx, authority, [id, other], saying))
    const ids = [id, other].sort((a, b) => a - b)
    return { success: true as const, data: { ids, different: isDifferent } }
  })
}
