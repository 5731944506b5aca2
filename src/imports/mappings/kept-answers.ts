import { permissionDeniedForAll } from '../../access/denials.ts'
import type { Db, Instant } from '../../db/tables.ts'
import type { Answer, FileFacts, ImportKind, ImportRow, Settings } from '../model.ts'
import { authorityOf } from '../planning/basis.ts'
import { mappingAnswers, signatureOf } from '../questions/kept-answers.ts'
import { importsForAll, permissionFor } from '../showing/sight.ts'
import { findMapping, keepMapping } from './mappings.ts'

/** How a file is read is known before its headings are: kept, it would say something else of the next one. */
const ofReading: readonly string[] = ['encoding', 'delimiter']

/** Rows that were left out of one file for their class may be wanted of the next: that is asked again. */
function isForNext(key: string, answer: Answer): boolean {
  return !ofReading.includes(key) && !(key.startsWith('class.') && answer === 'leave_out')
}

type Answered = Pick<ImportRow, 'kind' | 'settings'> & { readonly facts: FileFacts }

/*
 * The answers are the whole school's: they name classes, and decide what the next file means. So they are kept from
 * those who import for all classes, and given to those alone.
 */

/** Whether answers are kept from an account, and given to it; undefined: a command. */
async function sharesAnswers(db: Db, userId: number | undefined, kind: ImportKind): Promise<boolean> {
  const authority = await authorityOf(db, userId)
  return authority !== undefined && importsForAll(authority, kind)
}

/**
 * Keeps the answers of an import for files with the same headings.
 * @returns the mapping; null: there are none to keep
 * @throws Problem permission_denied where a name is given by someone who does not import for all classes
 */
export async function keepAnswers(
  db: Db,
  { kind, settings, facts }: Answered,
  userId: number | undefined,
  now: Instant,
  name?: string,
): Promise<FileFacts['mapping']> {
  if (!(await sharesAnswers(db, userId, kind))) {
    if (name !== undefined) throw permissionDeniedForAll(permissionFor(kind))
    return null
  }
  const answers = Object.fromEntries(
    Object.entries(mappingAnswers(settings)).filter(([key, answer]) => isForNext(key, answer)),
  )
  if (name === undefined && Object.keys(answers).length === 0) return null
  const { header } = facts
  return keepMapping(db, { kind, name, header, headings: signatureOf(header), answers }, now)
}

/** The answers that were kept for files with these headings, and the mapping that has them. */
export async function answersKept(
  db: Db,
  kind: ImportKind,
  header: readonly string[],
  userId: number | undefined,
): Promise<{ readonly answers: Settings; readonly mapping: FileFacts['mapping'] }> {
  const isShared = await sharesAnswers(db, userId, kind)
  const found = isShared ? await findMapping(db, kind, signatureOf(header)) : undefined
  if (found === undefined) return { answers: {}, mapping: null }
  return { answers: found.answers, mapping: { id: found.id, name: found.name } }
}
