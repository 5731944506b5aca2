import type { Field } from '../../fields/queries.ts'
import type { FileFacts, ImportRow } from '../model.ts'
import { mapColumns } from './column-mapping.ts'

/** The headings of a file, and the column that each is of; undefined: it is left out. */
export interface FileColumns {
  readonly headings: readonly string[]
  readonly columns: readonly (string | undefined)[]
}

/** How an import takes the columns of its file. @param fields the school's own, the archived ones too */
export function columnsOfFile(
  { kind, settings }: Pick<ImportRow, 'kind' | 'settings'>,
  { header, decided }: FileFacts,
  fields: readonly Field[],
): FileColumns {
  const { mapped } = mapColumns({
    kind,
    header,
    fields,
    settings: { ...decided, ...settings },
    mayCreateFields: true,
  })
  return { headings: header, columns: mapped.map(({ column }) => column ?? undefined) }
}
