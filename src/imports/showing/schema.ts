import { mediaTypes } from '../../exports/schema.ts'
import { Type } from '../../http/json-schema.ts'
import * as api from '../../http/operation.ts'
import { returnedOutcomes } from '../model.ts'
import { importParams } from '../schema.ts'
import { refusedLanguages } from './refused-words.ts'

export const getImportRefused = api.operation({
  operationId: 'getImportRefused',
  tags: ['imports'],
  summary: 'Download the refused rows of an import, or those left out',
  description:
    "In the file's own format, columns and delimiter, with a column `problem` in front. Where the names of the sheets are the classes, a column `class` has them. Correct them, and send that file.",
  params: importParams,
  querystring: api.Query(
    Type.Partial({
      outcome: Type.Array(Type.Enum(returnedOutcomes), {
        title: 'ReturnedOutcomes',
        maxItems: returnedOutcomes.length,
        description: 'Rows of which outcome; several times for both. Without it, `refused`',
        examples: [['refused', 'left_out']],
      }),
      language: Type.Enum(refusedLanguages, {
        title: 'RefusedLanguage',
        description:
          'The language of the column `problem`, which then names columns by the headings of the file. Without it, English for programs: names of columns, and `detail`. The heading stays `problem`',
        examples: ['de'],
      }),
    }),
  ),
  response: {
    200: api.File(Object.values(mediaTypes), 'CSV (RFC 4180) in UTF-8; XLSX where the file was one'),
  },
  problems: ['import_not_found', 'import_state'],
})
