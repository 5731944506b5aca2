import type { Authority } from '../../access/authority.ts'
import type { Db } from '../../db/tables.ts'
import { findFields } from '../../fields/queries.ts'
import { entityTag } from '../../http/conditions.ts'
import type { Static } from '../../http/json-schema.ts'
import { isSensitive, openFieldsOf } from '../cells/flat-student.ts'
import type { Import, ListedImport } from '../messages.ts'
import type { ImportRow } from '../model.ts'
import type { ListedRow } from '../queries.ts'
import { Sight } from '../sight.ts'
import { narrowed, narrowedInList, viewOf } from './narrowed.ts'
import { type SeesColumn, shownImport, shownInList } from './shown.ts'

/** What someone sees of imports. */
export interface Reader {
  readonly authority: Authority
  readonly sight: Sight
  readonly sees: SeesColumn
}

/** Who reads imports with an authority. */
export async function readerWith(db: Db, authority: Authority, userId: number): Promise<Reader> {
  return { authority, sight: new Sight(authority, userId), sees: await seesColumns(db, authority) }
}

/** Columns that hold what is sensitive need `students.sensitive`, here for all classes. */
async function seesColumns(db: Db, authority: Authority): Promise<SeesColumn> {
  if (authority.scopeOf('students.sensitive') === 'all') return () => true
  const open = openFieldsOf(await findFields(db))
  return (column) => column !== undefined && !isSensitive(column, open)
}

/**
 * The entity tag of an import, as its reader sees it. It tells the version, and how far the step is if all of it is shown.
 * It tells whether samples are shown, and what else the reader may see.
 */
export function tagFor(imported: ImportRow, { sees, authority }: Reader): string {
  const view = viewOf(imported, authority)
  return entityTag([imported], `${view === '' ? imported.done : ''}${sees(undefined) ? '' : '-'}${view}`)
}

/** An import as its reader sees it. Samples of a file that somebody else sent may be of any class. */
export async function shownTo(
  db: Db,
  imported: ImportRow,
  { sees, sight, authority }: Reader,
): Promise<Static<typeof Import>> {
  const isOwn = imported.kind === 'classes' || imported.user_id === sight.userId
  const seesSamples = isOwn || authority.scopeOf('students.view') === 'all' ? sees : () => false
  return shownImport(await narrowed(db, imported, authority), seesSamples)
}

/** Imports as a list shows them to their reader. One that is narrowed for them is read after another. */
export async function listedTo(
  db: Db,
  imports: readonly ListedRow[],
  { authority }: Reader,
): Promise<Static<typeof ListedImport>[]> {
  const listed: Static<typeof ListedImport>[] = []
  for (const imported of imports) listed.push(shownInList(await narrowedInList(db, imported, authority)))
  return listed
}
