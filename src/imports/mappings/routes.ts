import { callerOf, requires } from '../../access/guard.ts'
import type { Db } from '../../db/tables.ts'
import { write } from '../../events/write.ts'
import type { App } from '../../http/context.ts'
import * as answer from '../../http/resource.ts'
import { deleteMapping, pageOfMappings } from './mappings.ts'
import * as schema from './schema.ts'

export function mappingRoutes(app: App, db: Db): void {
  const importing = requires('students.import', { forAllClasses: true })

  app.get(
    '/api/import-mappings',
    { schema: schema.listImportMappings, config: importing },
    (request, reply) => answer.page(request, reply, (where) => pageOfMappings(db, where)),
  )

  app.delete(
    '/api/import-mappings/:id',
    { schema: schema.deleteImportMapping, config: importing },
    async (request) => {
      await write(db, callerOf(request), (tx) => deleteMapping(tx, request.params.id))
      return answer.removal('The mapping is deleted')
    },
  )
}
