import type { Authority } from '../../access/authority.ts'
import { lockCreations } from '../../db/row-locks.ts'
import { learnSizes } from '../../db/statistics.ts'
import type { Db } from '../../db/tables.ts'
import { belowRow, importNote } from '../../events/import-note.ts'
import { write } from '../../events/write.ts'
import { Problem } from '../../problems.ts'
import { accountOf, authorOf } from '../acting.ts'
import { failureOf, ImportEnds, mayNot } from '../import-ends.ts'
import type { ImportRow, Makes } from '../model.ts'
import { byImports, sightOf } from '../planning/basis.ts'
import { Newcomers, newestSettled } from '../planning/newcomers.ts'
import { countWritten } from '../planning/plan-rows.ts'
import { mayImport } from '../sight.ts'
import { moveTo, note } from '../states.ts'
import type { StepWork } from '../steps.ts'
import { type Applying, applyRows } from './apply-slice.ts'
import { type DueRow, dueRows } from './due-rows.ts'
import { makeFields } from './make-fields.ts'
import { Pace } from './pace.ts'

/** After how many rows the database learns how large its tables have become; again after ten times as many, and at the end. */
const learnAfter = 2_000

/**
 * Applies a plan, slice by slice, in one change set. Each slice is whole or not at all, and is marked: whoever goes on
 * after a crash does nothing twice. What cannot be applied ends the import, which then undoes itself.
 */
export async function applyImport(imported: ImportRow, work: StepWork): Promise<void> {
  const { id, counts } = imported
  const total = (counts?.create ?? 0) + (counts?.change ?? 0)
  const now = () => work.clock().toISOString()
  try {
    const changeSet = imported.change_set_id ?? (await begin(imported, work, total))
    if (changeSet !== undefined) await applyAll(imported, changeSet, work, total)
    await work.write((tx) => moveTo(tx, id, ['applying'], 'applied', now()))
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof ImportEnds)) throw error
    const failure = error instanceof Problem ? { code: error.code, detail: error.message } : failureOf(error)
    await work.write((tx) => moveTo(tx, id, ['applying'], 'undoing', now(), { failure }))
  }
}

/** Begins the change set, and makes what the rows need. @returns undefined where nothing is to be done */
async function begin(imported: ImportRow, work: StepWork, total: number): Promise<number | undefined> {
  const { id } = imported
  const now = work.clock().toISOString()
  return write(work.db, authorOf(imported), async (tx) => {
    await work.hold(tx, 0, total)
    const { authority } = await authorityNow(tx, imported)
    const makes = imported.makes ?? { fields: [] }
    requireFor(authority, makes)
    if (total + makes.fields.length === 0) return undefined
    const changeSet = await tx.beginChangeSet({ kind: 'import', note: importNote(id) }, now)
    tx.continueChangeSet(changeSet, belowRow(0))
    await makeFields(tx, makes, now)
    await tx.updateTable('imports').set({ change_set_id: changeSet }).where('id', '=', id).execute()
    return changeSet
  })
}

async function applyAll(
  imported: ImportRow,
  changeSet: number,
  work: StepWork,
  total: number,
): Promise<void> {
  const { db, lists } = work
  const pace = new Pace(db)
  const before = imported.applied_to ?? -1
  let done = before < 0 ? 0 : await countWritten(db, imported.id, { to: before })
  const newcomers = new Newcomers(changeSet)
  if (imported.kind === 'students') {
    const newest = await work.write(newestSettled)
    const { sight } = await authorityNow(db, imported)
    await newcomers.begin(db, sight, imported, newest)
  }
  let learnAt = learnAfter
  const rowsAfter = (place: number) => dueRows(db, imported, place, pace.size)
  for (let rows = await rowsAfter(before); rows.length > 0; ) {
    const slice = rows
    const last = slice.at(-1)!.place
    // The next rows are made ready while the database writes these: else one of both waits.
    let ahead: Promise<DueRow[]> | undefined
    const goOn = () => {
      ahead = rowsAfter(last)
      ahead.catch(() => {}) // told when it is awaited
    }
    const onReady = () => setImmediate(goOn)
    await pace.timed(() => applySlice(imported, { changeSet, newcomers, onReady }, work, slice))
    newcomers.made(slice.filter(({ coming }) => coming !== undefined).length, last)
    done += slice.length
    lists.changed()
    await work.beat(done, total)
    rows = await (ahead ?? rowsAfter(last))
    if (done >= (rows.length === 0 ? learnAfter : learnAt)) {
      await learnSizes(db)
      learnAt = done * 10
    }
  }
}

async function applySlice(
  imported: ImportRow,
  slice: Pick<Applying, 'changeSet' | 'newcomers' | 'onReady'>,
  work: StepWork,
  rows: readonly DueRow[],
): Promise<void> {
  const now = work.clock().toISOString()
  await write(work.db, authorOf(imported), async (tx) => {
    await work.hold(tx)
    if (rows.some(({ coming }) => coming !== undefined)) await lockCreations(tx) // before any lock but that of the import
    const { authority, sight } = await authorityNow(tx, imported)
    tx.continueChangeSet(slice.changeSet, belowRow(rows[0]!.place))
    const by = accountOf(imported) ?? null
    await applyRows({ ...slice, tx, authority, sight, by, now }, imported, rows)
    await note(tx, imported.id, { applied_to: rows.at(-1)!.place })
  })
}

/** What the account that applies may do by imports by now, and all that it holds. @throws ImportEnds */
async function authorityNow(db: Db, imported: ImportRow) {
  const sight = await sightOf(db, accountOf(imported))
  if (sight === undefined) throw mayNot('import')
  const authority = byImports(sight)
  if (!mayImport(authority, imported.kind)) throw mayNot('import')
  return { authority, sight }
}

/** @throws ImportEnds where the account may not make any more what the rows need */
function requireFor(authority: Authority, { fields }: Makes): void {
  if (fields.length === 0 || authority.scopeOf('fields.manage') === 'all') return
  throw mayNot('make fields')
}
