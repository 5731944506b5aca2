import { Readable } from 'node:stream'
import { type Authority, getAuthority } from '../../access/authority.ts'
import type { Clock } from '../../access/clock.ts'
import { callerOf, type Declared } from '../../access/guard.ts'
import type { Db } from '../../db/tables.ts'
import { nameFile } from '../../exports/name-file.ts'
import type { App } from '../../http/context.ts'
import { getImport } from '../queries.ts'
import { Sight } from '../sight.ts'
import { refusedFile } from './refused-file.ts'
import { getImportRefused } from './schema.ts'

interface RefusedParts {
  readonly db: Db
  readonly clock: Clock
  /** Who may import. */
  readonly importing: Declared
}

export function refusedRoutes(app: App, { db, clock, importing }: RefusedParts): void {
  app.get(
    '/api/imports/:id/refused',
    { schema: getImportRefused, config: importing },
    async (request, reply): Promise<never> => {
      const caller = callerOf(request)
      const { id } = request.params
      const sightOf = (authority: Authority) => new Sight(authority, caller.userId)
      const imported = await getImport(db, id, sightOf(await getAuthority(db, caller.userId)))
      const now = async () => {
        const authority = await caller.readmit(db, clock().toISOString())
        return { authority, imported: await getImport(db, id, sightOf(authority)) }
      }
      const { language, outcome = [] } = request.query
      const outcomes = outcome.length === 0 ? (['refused'] as const) : outcome
      const { format, content } = await refusedFile(db, imported, { language, outcomes, now })
      nameFile(reply, format, `${outcomes.join('-')}-${id}`)
      if (request.method === 'HEAD') return Readable.from([]) as never
      return Readable.from(content, { objectMode: false }) as never
    },
  )
}
