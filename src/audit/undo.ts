import { instantAfter } from '../access/clock.ts'
import { lockRow } from '../db/row-locks.ts'
import type { Db, Instant } from '../db/tables.ts'
import { importOf } from '../events/import-note.ts'
import type { LoggedRecord } from '../events/log.ts'
import { Problem } from '../problems.ts'
import { type EventRow, selectEvents, sightOf } from './entries.ts'
import { undoClassEvent } from './undo-class.ts'
import { otherOf, undoDoubleEvent } from './undo-double.ts'
import { undoStudentEvent } from './undo-student.ts'
import {
  type EventUndone,
  lockRecordsOf,
  notFound,
  type Undoing,
  type UndoneEvent,
  undoneEvent,
} from './undoing.ts'
import { readerOfValuesBefore } from './values-before.ts'

/** How long a change set can be undone, in days. */
export const undoableDays = 30

/** Whether a change set can't be undone any more for its age. */
export function isTooOld(madeAt: Instant, now: Date): boolean {
  return madeAt < instantAfter(now, -undoableDays * 24 * 3_600_000)
}

/** A record, and fields of it. */
interface Touched {
  readonly record: LoggedRecord
  readonly record_id: number
  readonly fields: string[]
}

/** What an undo did. */
export interface UndoResult {
  readonly change_set_id: number | null
  readonly undone: Touched[]
  readonly kept: Touched[]
}

type Undo = (undoing: Undoing, event: UndoneEvent) => Promise<EventUndone>

const undoes: Partial<Record<LoggedRecord, Undo>> = {
  student: undoStudentEvent,
  class: undoClassEvent,
  double: undoDoubleEvent,
}

/** Waits for other writes of what a change set changed, and lets nobody change it until the write ends. */
export async function lockRecords(db: Db, id: number): Promise<void> {
  await lockRow(db, 'change_sets', id)
  if ((await findOfImport(db, id)) !== undefined) return
  const records = db
    .selectFrom('events')
    .select(['record', 'record_id'])
    .distinct()
    .where('change_set_id', '=', id)
    .$castTo<Pick<EventRow, 'record' | 'record_id'>>()
  await lockRecordsOf(db, await records.execute())
}

/**
 * Undoes a change set field by field, the last change first. What was changed since stays. Call behind `lockRecords`.
 * @throws Problem change_set_not_found, permission_denied, change_set_undone or change_set_not_undoable
 */
export async function undoChangeSet(undoing: Undoing, id: number): Promise<UndoResult> {
  const { tx, authority, now } = undoing
  const why = await findOfImport(tx, id)
  if (why !== undefined) throw (await isSeen(undoing, id)) ? notUndoable(why) : notFound()
  const set = await tx.selectFrom('change_sets').selectAll().where('id', '=', id).executeTakeFirst()
  const events = await selectEvents(tx)
    .where('events.change_set_id', '=', id)
    .orderBy('events.place', 'desc')
    .execute()
  if (set === undefined || events.length === 0) throw notFound()
  if (!events.every((event) => sightOf(authority, event).fields)) throw notFound()
  if (events.some(({ record }) => undoes[record] === undefined))
    throw notUndoable('It changed accounts, roles or settings, which are changed by hand.')
  if (set.undone_by !== null) throw alreadyUndone(set.undone_by)
  if (isTooOld(set.made_at, now)) throw notUndoable(`It is older than ${undoableDays} days.`)

  const at = now.toISOString()
  const kind = { kind: 'undo', note: `of change set ${id}`, undoes: id }
  const undo = await tx.beginChangeSet(kind, at)
  const result = { undone: [] as Touched[], kept: [] as Touched[] }
  const changesOf = await readerOfValuesBefore(tx, events)
  const isWithStudent = (id: number, action: string) =>
    events.some((one) => one.record === 'student' && one.record_id === id && one.action === action)
  for (const event of events) {
    const { record, record_id, action } = event
    const changes = changesOf(event)
    const pair = record === 'double' ? [record_id, otherOf(changes)] : []
    const withStudents = pair.filter((id) => isWithStudent(id, action))
    const undone = await undoes[record]!(undoing, undoneEvent(event, changes, withStudents))
    if (undone.undone) result.undone.push({ record, record_id, fields: [...undone.undone] })
    if (undone.kept?.length) result.kept.push({ record, record_id, fields: [...undone.kept] })
  }
  if (result.undone.length === 0) {
    await tx.deleteFrom('change_sets').where('id', '=', undo).execute()
    return { change_set_id: null, ...result }
  }
  await noteUndone(tx, id, undo)
  return { change_set_id: undo, ...result }
}

/** Notes what undid a change set; null: it holds again. Then what it undid itself holds again, or is undone by it. */
export async function noteUndone(db: Db, id: number, by: number | null): Promise<void> {
  const { undoes } = await db
    .updateTable('change_sets')
    .set({ undone_by: by })
    .where('id', '=', id)
    .returning('undoes')
    .executeTakeFirstOrThrow()
  if (undoes !== null) await noteUndone(db, undoes, by === null ? id : null)
}

/** Why a change set of an import is not undone here: it may be very large. @returns undefined for any other */
async function findOfImport(db: Db, id: number): Promise<string | undefined> {
  const found = await db
    .selectFrom('change_sets')
    .leftJoin('change_sets as undone', 'undone.id', 'change_sets.undoes')
    .select([
      'change_sets.kind',
      'change_sets.note',
      'undone.kind as undone_kind',
      'undone.note as undone_note',
    ])
    .where('change_sets.id', '=', id)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const importId = importOf(found)
  if (importId !== undefined) return `An import made it: undo that with POST /api/imports/${importId}/undo.`
  const { undone_kind: kind, undone_note: note } = found
  const isOfImport = kind !== null && importOf({ kind, note }) !== undefined
  return isOfImport ? 'It undid an import: import the file again to have the changes again.' : undefined
}

/** Whether the caller may see what an import did, going by its last row. */
async function isSeen({ tx, authority }: Undoing, id: number): Promise<boolean> {
  const event = await selectEvents(tx)
    .where('events.change_set_id', '=', id)
    .orderBy('events.place', 'desc')
    .executeTakeFirst()
  return event !== undefined && sightOf(authority, event).fields
}

function alreadyUndone(by: number): Problem {
  return new Problem(
    'change_set_undone',
    `Change set ${by} undid it already; undo that one to have the changes again.`,
  )
}

function notUndoable(why: string): Problem {
  return new Problem('change_set_not_undoable', `This change set cannot be undone. ${why}`)
}
