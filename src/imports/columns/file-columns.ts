import type { Field } from '../../fields/queries.ts'
import type { ImportRow } from '../model.ts'
import { type MappedColumn, mapColumns } from './column-mapping.ts'

/** The headings of a file, and the column that each is of; undefined: it is left out. */
export interface FileColumns {
  readonly headings: readonly string[]
  readonly columns: readonly (string | undefined)[]
}

/** How an import takes the columns of its file, once its headings are known. @param fields the school's own, the archived ones too */
export function mapFile(
  { kind, settings, facts }: Pick<ImportRow, 'kind' | 'settings' | 'facts'>,
  fields: readonly Field[],
): readonly MappedColumn[] {
  if (facts === null) return []
  const { header, decided } = facts
  const answers = { ...decided, ...settings }
  return mapColumns({ kind, header, fields, settings: answers, mayCreateFields: true }).mapped
}

/** The same, by the places of the columns. */
export function columnsOfFile(
  imported: Pick<ImportRow, 'kind' | 'settings' | 'facts'>,
  fields: readonly Field[],
): FileColumns {
  const columns = mapFile(imported, fields).map(({ column }) => column ?? undefined)
  return { headings: imported.facts?.header ?? [], columns }
}
