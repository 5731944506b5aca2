import { Type } from '../../http/json-schema.ts'
import * as api from '../../http/operation.ts'
import { PageOf, pageParameters } from '../../http/paging.ts'
import { limits } from '../../sheets/limits.ts'
import { Answers } from '../messages.ts'
import { importKinds } from '../model.ts'

const onlyForAll =
  'Needs `students.import` for all classes: 403 `permission_denied` to callers who hold it for some only.'

export const Mapping = Type.Object(
  {
    id: api.Id('The mapping', 1),
    kind: Type.Enum(importKinds, { description: 'What the rows are', examples: ['students'] }),
    name: Type.String({ maxLength: 100, description: 'Its name', examples: ['Nachname, Vorname, Klasse'] }),
    headings: Type.Array(Type.String({ maxLength: 32_768, examples: ['nachname'] }), {
      maxItems: limits.columns,
      description: 'The headings of files that it is for, folded, in order',
    }),
    answers: Answers,
    updated_at: api.DateTime('When its answers were last kept'),
  },
  { title: 'ImportMapping', description: 'Answers that the school keeps for files with the same headings' },
)

export const listImportMappings = api.operation({
  operationId: 'listImportMappings',
  tags: ['imports'],
  summary: 'List the answers that are kept for files',
  description: `Ordered by id. An answer on a class is there while the next file would take it over. ${onlyForAll} A page past the end is empty, with the same total.`,
  querystring: api.Query(pageParameters),
  response: { 200: PageOf(Mapping) },
})

export const deleteImportMapping = api.operation({
  operationId: 'deleteImportMapping',
  tags: ['imports'],
  summary: 'Forget the answers that are kept for files',
  description: `${onlyForAll} Imports that took its answers over keep them.`,
  params: api.IdParams('ImportMappingId', 'The mapping', 1),
  response: { 200: api.Done('The mapping is deleted') },
  problems: ['import_mapping_not_found'],
})
