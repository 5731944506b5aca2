import { againWhereTaken } from '../../audit/again-where-taken.ts'
import { noteUndone } from '../../audit/undo.ts'
import type { Undoing } from '../../audit/undoing.ts'
import type { Db } from '../../db/tables.ts'
import { belowRow } from '../../events/import-note.ts'
import type { Tx } from '../../events/log.ts'
import { write } from '../../events/write.ts'
import { accountOf, authorOf } from '../acting.ts'
import type { ImportRow } from '../model.ts'
import { authorityOrNone, everything } from '../planning/basis.ts'
import {
  countKept,
  countWritten,
  insertPlanRows,
  isWritten,
  type PlanRow,
  updatePlanRows,
} from '../planning/plan-rows.ts'
import { nextRows } from '../slices/in-order.ts'
import { moveTo, note } from '../states.ts'
import type { StepWork } from '../steps.ts'
import { classesOfNobodyElse, forgetCounts } from './emptied-classes.ts'
import { Pace } from './pace.ts'
import { type Kept, undoEvents } from './undo-slice.ts'

/**
 * Undoes an import, the last row first, slice by slice, in one change set. What was changed since stays, and is kept
 * with its row. An import that ends by itself is undone whatever its account may do by then.
 */
export async function undoImport(imported: ImportRow, work: StepWork): Promise<void> {
  const { db, lists } = work
  const { id, change_set_id: changeSet, applied_to: to } = imported
  const pace = new Pace(db)
  let last = imported.undone_from ?? (to ?? -1) + 1
  const total = to === null ? 0 : await countWritten(db, id, { to })
  let done = to === null ? 0 : await countWritten(db, id, { from: last, to })
  while (changeSet !== null) {
    const before = last
    const places = await pace.timed((size) =>
      againWhereTaken(() => undoSlice(imported, changeSet, work, { before, size })),
    )
    if (places.length === 0) break
    last = places.at(-1)!
    done += places.length
    lists.changed()
    await work.beat(done, total)
  }
  await againWhereTaken(() => end(imported, work))
  lists.changed()
}

/** @returns the places of the rows that were undone; none: there are no more */
async function undoSlice(
  imported: ImportRow,
  changeSet: number,
  work: StepWork,
  { before, size }: { readonly before: number; readonly size: number },
): Promise<number[]> {
  const { id } = imported
  return write(work.db, authorOf(imported), async (tx) => {
    await work.hold(tx)
    const rows = await nextRows(tx, appliedRows(id), before, size)
    if (rows.length === 0) return []
    const undoing = await beginUndoing(tx, imported, changeSet, work)
    const places = rows.map(({ place }) => place)
    tx.continueChangeSet(undoing.changeSet, belowRow(places.at(-1)!))
    await noteKept(tx, id, await undoEvents(undoing, changeSet, places))
    await note(tx, id, { undone_from: places.at(-1)! })
    return places
  })
}

/** The rows that are applied, the last one first. */
function appliedRows(importId: number) {
  return { table: 'import_plan', importId, columns: ['place'], met: isWritten, direction: 'desc' } as const
}

/** Undoes what the import made before its rows, and brings it to its end. */
async function end(imported: ImportRow, work: StepWork): Promise<void> {
  const { id, change_set_id: changeSet, failure, counts } = imported
  const kept = await countKept(work.db, id)
  const emptied = changeSet === null ? [] : await classesOfNobodyElse(work.db, changeSet)
  await write(work.db, authorOf(imported), async (tx) => {
    await work.hold(tx)
    if (changeSet !== null) {
      const undoing = await beginUndoing(tx, imported, changeSet, work)
      tx.continueChangeSet(undoing.changeSet, belowRow(0))
      await forgetCounts(tx, emptied)
      await listKept(tx, id, await undoEvents(undoing, changeSet, undefined))
    }
    const to = failure === null ? 'undone' : 'failed'
    const change = counts === null ? {} : { counts: { ...counts, ...kept } }
    await moveTo(tx, id, ['undoing'], to, work.clock().toISOString(), change)
  })
}

/** What undoes, with the change set of the undo, which the first slice begins. */
async function beginUndoing(
  tx: Tx,
  imported: ImportRow,
  changeSet: number,
  { clock }: StepWork,
): Promise<Undoing & { readonly changeSet: number }> {
  const now = clock()
  const { id, failure } = imported
  const account = accountOf(imported)
  const authority = failure === null ? await authorityOrNone(tx, account) : everything()
  const { undo_set_id } = await tx
    .selectFrom('imports')
    .select('undo_set_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const undo = undo_set_id ?? (await beginUndoSet(tx, imported, changeSet, now.toISOString()))
  return { tx, authority, by: account ?? null, now, changeSet: undo }
}

/** The import counts as undone from here on: who undoes another change meanwhile must not bring back what goes. */
async function beginUndoSet(tx: Tx, { id }: ImportRow, changeSet: number, now: string): Promise<number> {
  const undo = await tx.beginChangeSet({ kind: 'undo', note: `of import ${id}`, undoes: changeSet }, now)
  await tx.updateTable('imports').set({ undo_set_id: undo }).where('id', '=', id).execute()
  await noteUndone(tx, changeSet, undo)
  return undo
}

async function noteKept(db: Db, importId: number, kept: Kept): Promise<void> {
  if (kept.size === 0) return
  const rows = [...kept].map(([place, { fields }]) => ({ place, kept: JSON.stringify(fields) }))
  await updatePlanRows(db, importId, rows, { kept: 'text' })
}

/** Lists the classes and fields that stay among the rows of the plan: below all of the file. */
async function listKept(db: Db, importId: number, kept: Kept): Promise<void> {
  const rows = [...kept].map(([place, { event }]): PlanRow => {
    const { key, label } = JSON.parse(event.fields) as Record<string, [null, string]>
    const column = event.record === 'class' ? 'class_id' : `fields.${key![1]}`
    return { place, outcome: 'create', changes: JSON.stringify({ [column]: label }), outdated: 0 }
  })
  if (rows.length === 0) return
  await insertPlanRows(db, importId, rows)
  await noteKept(db, importId, kept)
}
