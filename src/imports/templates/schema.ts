import { csvParameters, headings, mediaTypes } from '../../exports/schema.ts'
import { Type } from '../../http/json-schema.ts'
import { File, operation, Query } from '../../http/operation.ts'
import { importKinds } from '../model.ts'

const kind = Type.Partial({
  kind: Type.Enum(importKinds, {
    title: 'TemplateKind',
    default: 'students',
    description: 'What the rows are to be',
    examples: ['students'],
  }),
})

const description =
  "A header of what the caller may import, the school's own fields too, and one row as an example. It is left out where nobody writes over its number or label. Columns that are not needed can be removed."

export const getImportTemplateCsv = operation({
  operationId: 'getImportTemplateCsv',
  tags: ['imports'],
  summary: 'Download a file to fill in, as CSV',
  description,
  querystring: Query({ ...kind, ...csvParameters, ...headings }),
  response: { 200: File([mediaTypes.csv], 'CSV (RFC 4180) in UTF-8') },
})

export const getImportTemplateXlsx = operation({
  operationId: 'getImportTemplateXlsx',
  tags: ['imports'],
  summary: 'Download a file to fill in, as a spreadsheet',
  description: `${description} Every cell is a text.`,
  querystring: Query({ ...kind, ...headings }),
  response: { 200: File([mediaTypes.xlsx], 'XLSX (ECMA-376)') },
})
