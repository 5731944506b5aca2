import type { Permission } from '../../access/permissions.ts'
import { requireAccess } from '../../access/scope.ts'
import type { Db, Instant } from '../../db/tables.ts'
import type { Fault } from '../../problems.ts'
import { foldHeading, hasReasons } from '../columns/headings.ts'
import type { FileFacts, ImportKind, ImportRow, Settings } from '../model.ts'
import { authorityOf } from '../planning/basis.ts'
import { kindOfAnswer } from '../questions/answer-rules.ts'
import { importsForAll, permissionFor } from '../sight.ts'
import { faultOfName, findMapping, keepMapping } from './mappings.ts'

/** The answers that hold for the next file with the same headings. */
export function answersForNext(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).filter(([key, answer]) => kindOfAnswer(key)?.isKept?.(answer)),
  )
}

/**
 * What two headers have in common whose files have the same mapping: the folded headings, in order. The column that the
 * file of refused rows has in front is none: its answers are those of the file that the rows are of.
 */
export function signatureOf(header: readonly string[]): readonly string[] {
  const folded = (hasReasons(header) ? header.slice(1) : header).map(foldHeading)
  const last = folded.findLastIndex((heading) => heading !== '')
  return folded.slice(0, last + 1)
}

type Answered = Pick<ImportRow, 'kind' | 'settings'> & { readonly facts: FileFacts }

/*
 * The answers are the whole school's: they name classes, and decide what the next file means. So they are kept from
 * those who import for all classes, and given to those alone. An answer can show what is sensitive in the next file:
 * those on students are kept from who sees that for all classes.
 */

/** What an account must hold for all classes to have its answers kept. */
const neededToKeep = (kind: ImportKind): readonly Permission[] =>
  kind === 'students' ? [permissionFor(kind), 'students.sensitive'] : [permissionFor(kind)]

/** What an account lacks to have its answers kept, and for which classes it holds that. */
async function lackingToKeep(db: Db, kind: ImportKind, userId: number | undefined) {
  const authority = await authorityOf(db, userId)
  const permission = neededToKeep(kind).find((one) => authority?.scopeOf(one) !== 'all')
  return permission && { permission, scope: authority?.scopeOf(permission) }
}

/**
 * What is wrong with a name that answers are to be kept under.
 * @param facts null: the headings are not known
 * @throws Problem permission_denied for an account whose answers are not kept
 */
export async function faultOfMappingName(
  db: Db,
  { kind, facts }: Pick<ImportRow, 'kind' | 'facts'>,
  userId: number | undefined,
  name: string,
): Promise<Fault | undefined> {
  const lacking = await lackingToKeep(db, kind, userId)
  if (lacking !== undefined)
    requireAccess({ permission: lacking.permission, forAllClasses: true }, lacking.scope, undefined)
  if (facts !== null) return faultOfName(db, kind, signatureOf(facts.header), name)
  const detail = 'is taken once the headings of the file are known; answer the questions first'
  return { code: 'invalid', detail }
}

/**
 * Keeps the answers of an import for files with the same headings.
 * @param name one without a fault @returns the mapping; null: there are none to keep
 */
export async function keepAnswers(
  db: Db,
  { kind, settings, facts }: Answered,
  userId: number | undefined,
  now: Instant,
  name?: string,
): Promise<FileFacts['mapping']> {
  if ((await lackingToKeep(db, kind, userId)) !== undefined) return null
  const fit = Object.entries(settings).filter(([key]) => !facts.unfit?.includes(key))
  const answers = answersForNext(Object.fromEntries(fit))
  if (name === undefined && Object.keys(answers).length === 0) return null
  const { header } = facts
  return keepMapping(db, { kind, name, header, headings: signatureOf(header), answers }, now)
}

/** The answers that hold of those that were kept for files with these headings, and the mapping that has them. */
export async function answersKept(
  db: Db,
  kind: ImportKind,
  header: readonly string[],
  userId: number | undefined,
): Promise<{ readonly answers: Settings; readonly mapping: FileFacts['mapping'] }> {
  const authority = await authorityOf(db, userId)
  const isGiven = authority !== undefined && importsForAll(authority, kind)
  const found = isGiven ? await findMapping(db, kind, signatureOf(header)) : undefined
  if (found === undefined) return { answers: {}, mapping: null }
  return { answers: found.answers, mapping: { id: found.id, name: found.name } }
}
