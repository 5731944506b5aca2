import type { Field } from '../../fields/queries.ts'
import type { AnswersKnown, ImportRow, Settings } from '../model.ts'
import { type MappedColumn, mapColumns } from './column-mapping.ts'

/** The headings of a file, and the column that each is of; undefined: it is left out. */
export interface FileColumns {
  readonly headings: readonly string[]
  readonly columns: readonly (string | undefined)[]
}

/** The answers, with what the file told by itself. Where both are of one key, the answer is not good any more. */
export function allAnswers({ settings, facts }: AnswersKnown): Settings {
  return { ...settings, ...facts?.decided }
}

/** How an import takes the columns of its file, once its headings are known. @param fields the school's own, the archived ones too */
export function mapFile(
  imported: Pick<ImportRow, 'kind' | 'settings' | 'facts'>,
  fields: readonly Field[],
): readonly MappedColumn[] {
  const { kind, facts } = imported
  if (facts === null) return []
  const settings = allAnswers(imported)
  return mapColumns({ kind, header: facts.header, fields, settings, mayCreateFields: true }).mapped
}

/** The same, by the places of the columns. */
export function columnsOfFile(
  imported: Pick<ImportRow, 'kind' | 'settings' | 'facts'>,
  fields: readonly Field[],
): FileColumns {
  const columns = mapFile(imported, fields).map(({ column }) => column ?? undefined)
  return { headings: imported.facts?.header ?? [], columns }
}
