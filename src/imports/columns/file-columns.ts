import type { Field } from '../../fields/queries.ts'
import type { FileFacts, ImportRow } from '../model.ts'
import { type MappedColumn, mapColumns } from './column-mapping.ts'

/** The headings of a file, and the column that each is of; undefined: it is left out. */
export interface FileColumns {
  readonly headings: readonly string[]
  readonly columns: readonly (string | undefined)[]
}

/** How an import takes the columns of its file. @param fields the school's own, the archived ones too */
export function mapFile(
  { kind, settings }: Pick<ImportRow, 'kind' | 'settings'>,
  { header, decided }: FileFacts,
  fields: readonly Field[],
): readonly MappedColumn[] {
  return mapColumns({
    kind,
    header,
    fields,
    settings: { ...decided, ...settings },
    mayCreateFields: true,
  }).mapped
}

/** The same, by the places of the columns. */
export function columnsOfFile(
  imported: Pick<ImportRow, 'kind' | 'settings'>,
  facts: FileFacts,
  fields: readonly Field[],
): FileColumns {
  const mapped = mapFile(imported, facts, fields)
  return { headings: facts.header, columns: mapped.map(({ column }) => column ?? undefined) }
}
