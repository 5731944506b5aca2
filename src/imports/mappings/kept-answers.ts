import type { Db, Instant } from '../../db/tables.ts'
import { mappingAnswers, signatureOf } from '../kept-answers.ts'
import type { FileFacts, ImportRow, Settings } from '../model.ts'
import { findMapping, keepMapping } from './mappings.ts'

/** How a file is read is known before its headings are: kept, it would say something else of the next one. */
const ofReading: readonly string[] = ['encoding', 'delimiter']

type Answered = Pick<ImportRow, 'kind' | 'settings'> & { readonly facts: FileFacts }

/** Keeps the answers of an import for files with the same headings. @returns the mapping; null: there are none to keep */
export async function keepAnswers(
  db: Db,
  { kind, settings, facts }: Answered,
  now: Instant,
  name?: string,
): Promise<FileFacts['mapping']> {
  const answers = Object.fromEntries(
    Object.entries(mappingAnswers(settings)).filter(([key]) => !ofReading.includes(key)),
  )
  if (name === undefined && Object.keys(answers).length === 0) return null
  const { header } = facts
  return keepMapping(db, { kind, name, header, headings: signatureOf(header), answers }, now)
}

/** The answers that were kept for files with these headings, and the mapping that has them. */
export async function answersKept(
  db: Db,
  kind: ImportRow['kind'],
  header: readonly string[],
): Promise<{ readonly answers: Settings; readonly mapping: FileFacts['mapping'] }> {
  const found = await findMapping(db, kind, signatureOf(header))
  if (found === undefined) return { answers: {}, mapping: null }
  return { answers: found.answers, mapping: { id: found.id, name: found.name } }
}
