import type { FastifyReply, FastifyRequest } from 'fastify'
import { getAuthority } from '../../access/authority.ts'
import { callerOf, type Declared } from '../../access/guard.ts'
import type { Db } from '../../db/tables.ts'
import type { HeadingLanguage } from '../../exports/headings.ts'
import { nameFile } from '../../exports/name-file.ts'
import type { App } from '../../http/context.ts'
import type { SheetFormat } from '../../sheets/sheet.ts'
import type { ImportKind } from '../model.ts'
import { requireKind } from '../sight.ts'
import * as schema from './schema.ts'
import { templateFile } from './template.ts'

interface TemplateAsked {
  readonly kind?: ImportKind
  readonly headings?: HeadingLanguage
}

/** @param config who may import */
export function templateRoutes(app: App, db: Db, config: Declared): void {
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { kind = 'students', headings }: TemplateAsked,
    format: SheetFormat,
  ): Promise<never> {
    const authority = await getAuthority(db, callerOf(request).userId)
    requireKind(authority, kind)
    const file = await templateFile(db, authority, kind, headings, format)
    nameFile(reply, format, kind)
    return file as never
  }

  app.get('/api/imports/template.csv', { schema: schema.getImportTemplateCsv, config }, (request, reply) => {
    const { delimiter = ',', bom = 'on' } = request.query
    return answer(request, reply, request.query, { type: 'csv', delimiter, bom: bom === 'on' })
  })

  app.get('/api/imports/template.xlsx', { schema: schema.getImportTemplateXlsx, config }, (request, reply) =>
    answer(request, reply, request.query, { type: 'xlsx' }),
  )
}
