import { Readable } from 'node:stream'
import { type Authority, getAuthority } from '../../access/authority.ts'
import type { Clock } from '../../access/clock.ts'
import { callerOf, type Declared } from '../../access/guard.ts'
import type { Db } from '../../db/tables.ts'
import { mediaTypes } from '../../exports/schema.ts'
import { findFields } from '../../fields/queries.ts'
import type { App } from '../../http/context.ts'
import type { SheetFormat } from '../../sheets/sheet.ts'
import { columnsOfFile } from '../columns/file-columns.ts'
import type { ImportRow } from '../model.ts'
import { getImport } from '../queries.ts'
import { Sight } from '../sight.ts'
import { wrongState } from '../states.ts'
import { refusedFile } from './refused-file.ts'
import { plainWords, wordsIn } from './refused-words.ts'
import { getImportRefused } from './schema.ts'

export interface RefusedParts {
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
      const format = formatOf(imported)
      const now = async () => {
        const authority = await caller.readmit(db, clock().toISOString())
        return { authority, imported: await getImport(db, id, sightOf(authority)) }
      }
      const fields = await findFields(db)
      const columns = columnsOfFile(imported, imported.facts!, fields)
      const { language, outcome = [] } = request.query
      const outcomes = outcome.length === 0 ? (['refused'] as const) : outcome
      const words = language === undefined ? plainWords : await wordsIn(language, columns, fields)
      const file = refusedFile(db, { format, words, outcomes, now, ...columns })
      reply.type(format.type === 'csv' ? `${mediaTypes.csv}; charset=utf-8` : mediaTypes.xlsx)
      reply.header('Content-Disposition', `attachment; filename="${outcomes.join('-')}-${id}.${format.type}"`)
      if (request.method === 'HEAD') return Readable.from([]) as never
      return Readable.from(file, { objectMode: false }) as never
    },
  )
}

/** The format of the file itself. @throws Problem import_state where nothing is planned, or all is erased */
function formatOf(imported: ImportRow): SheetFormat {
  const { counts, facts, file_format: type, emptied_at: emptiedAt } = imported
  if (counts === null || facts === null || emptiedAt !== null)
    throw wrongState(imported, 'asked for its refused rows')
  if (type === 'xlsx') return { type }
  const delimiter = ([',', ';', '\t', '|'] as const).find((one) => one === facts.delimiter) ?? ','
  return { type: 'csv', delimiter, bom: true }
}
