import type { Db, Instant } from '../../db/tables.ts'
import { uniqueKey } from '../../text/normalise.ts'
import type { FileFacts, ImportRow, Settings } from '../model.ts'
import { findMapping, keepMapping } from './mappings.ts'

/** Answers that hold for other files with the same headings: those on columns, their values and how rows match. */
const keptKeys = /^(column|date_order|class)\.|^(name_order|match|clear)$/

type Answered = Pick<ImportRow, 'kind' | 'settings'> & { readonly facts: FileFacts }

/** Keeps the answers of an import for files with the same headings. @returns the mapping; null: there are none to keep */
export async function keepAnswers(
  db: Db,
  { kind, settings, facts }: Answered,
  now: Instant,
  name?: string,
): Promise<FileFacts['mapping']> {
  const answers = Object.fromEntries(Object.entries(settings).filter(([key]) => keptKeys.test(key)))
  if (name === undefined && Object.keys(answers).length === 0) return null
  const { header } = facts
  return keepMapping(db, { kind, name, header, headings: header.map(uniqueKey), answers }, now)
}

/** The answers that were kept for files with these headings, and the mapping that has them. */
export async function answersKept(
  db: Db,
  kind: ImportRow['kind'],
  header: readonly string[],
): Promise<{ readonly answers: Settings; readonly mapping: FileFacts['mapping'] }> {
  const found = await findMapping(db, kind, header.map(uniqueKey))
  if (found === undefined) return { answers: {}, mapping: null }
  return { answers: found.answers, mapping: { id: found.id, name: found.name } }
}
