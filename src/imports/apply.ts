import { sql } from 'kysely'
import type { Db, Instant } from '../db/tables.ts'
import { importNote } from '../events/import-note.ts'
import { write } from '../events/write.ts'
import { Problem } from '../problems.ts'
import { type Applying, applyRows, dueRows } from './apply-slice.ts'
import { authorityOf } from './basis.ts'
import { authorOf, holdAt, holderOf, ImportEnds, moveOn } from './import-state.ts'
import { type Makes, makeFirst } from './make-first.ts'
import type { ImportRow } from './model.ts'
import { Pace } from './pace.ts'
import { belowRow, endSlice, type StepWork } from './step-work.ts'

/**
 * Applies a plan, slice by slice, in one change set. Each slice is whole or not at all, and is marked: whoever goes on
 * after a crash does nothing twice. What cannot be applied ends the import, which then undoes itself.
 */
export async function applyImport(imported: ImportRow, work: StepWork): Promise<void> {
  const { db, clock, lists } = work
  const { id, counts } = imported
  const total = (counts?.create ?? 0) + (counts?.change ?? 0)
  try {
    const changeSet = imported.change_set_id ?? (await begin(imported, work, total))
    let done = await appliedRows(db, id)
    const pace = new Pace()
    let last = -1
    while (changeSet !== undefined) {
      const after = last
      const places = await pace.timed((size) => applySlice(imported, changeSet, work, { after, size }))
      if (places.length === 0) break
      last = places.at(-1)!
      done += places.length
      lists.changed()
      await endSlice(work, done, total)
    }
    const now = clock().toISOString()
    await write(db, {}, (db) => moveOn(db, { id }, ['applying', 'applied'], now))
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof ImportEnds)) throw error
    const failure = JSON.stringify({ code: error.code, detail: error.message })
    const now = clock().toISOString()
    await write(db, {}, (db) => moveOn(db, { id }, ['applying', 'undoing'], now, { failure }))
  }
}

/** Begins the change set, and makes what the rows need. @returns undefined where nothing is to be done */
async function begin(
  imported: ImportRow,
  { db, clock }: StepWork,
  total: number,
): Promise<number | undefined> {
  const { id } = imported
  const now = clock().toISOString()
  return write(db, authorOf(imported), async (tx) => {
    if (!(await holdAt(tx, id, 'applying'))) return undefined
    await authorityNow(tx, imported)
    const { makes } = await tx
      .selectFrom('imports')
      .select('makes')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const first: Makes = JSON.parse(makes ?? '{"classes":[],"fields":[]}')
    if (total + first.classes.length + first.fields.length === 0) return undefined
    const changeSet = await tx.beginChangeSet({ kind: 'import', note: importNote(id) }, now)
    tx.continueChangeSet(changeSet, 0)
    await makeFirst(tx, first, now)
    await tx.updateTable('imports').set({ change_set_id: changeSet, total }).where('id', '=', id).execute()
    return changeSet
  })
}

/** @returns the places of the rows that were applied; none: there are no more, or another instance goes on */
async function applySlice(
  imported: ImportRow,
  changeSet: number,
  { db, clock, lists }: StepWork,
  { after, size }: { readonly after: number; readonly size: number },
): Promise<number[]> {
  const { id, kind } = imported
  const now: Instant = clock().toISOString()
  return write(db, authorOf(imported), async (tx) => {
    if (!(await holdAt(tx, id, 'applying'))) return []
    const authority = await authorityNow(tx, imported)
    const rows = await dueRows(tx, id, after, size)
    if (rows.length === 0) return []
    tx.continueChangeSet(changeSet, belowRow(rows[0]!.place))
    const applying: Applying = { tx, authority, lists, by: holderOf(imported) ?? null, now }
    await applyRows(applying, id, kind, rows)
    return rows.map(({ place }) => place)
  })
}

/** What the account that applies may do by now. @throws ImportEnds */
async function authorityNow(db: Db, imported: ImportRow) {
  const authority = await authorityOf(db, holderOf(imported))
  if (authority?.scopeOf(imported.kind === 'classes' ? 'classes.manage' : 'students.import') !== undefined)
    return authority
  throw new ImportEnds('permission_denied', 'The account that applied it may not import any more.')
}

async function appliedRows(db: Db, importId: number): Promise<number> {
  const { count } = await db
    .selectFrom('import_plan')
    .select(sql<number>`count(*)`.as('count'))
    .where('import_id', '=', importId)
    .where('applied', '=', 1)
    .executeTakeFirstOrThrow()
  return Number(count)
}
