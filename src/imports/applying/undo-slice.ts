import { sql } from 'kysely'
import type { Permission } from '../../access/permissions.ts'
import { isInScope } from '../../access/scope.ts'
import { type EventRow, readerOfChanges, selectEvents } from '../../audit/entries.ts'
import { undoClassEvent } from '../../audit/undo-class.ts'
import { undoFieldEvent } from '../../audit/undo-field.ts'
import { undoStudentEvent } from '../../audit/undo-student.ts'
import type { EventUndone, Undoing, UndoneEvent } from '../../audit/undoing.ts'
import { engineOf } from '../../db/engine.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import type { Tx } from '../../events/log.ts'
import { Problem } from '../../problems.ts'
import { removeStudents } from '../../students/removal.ts'
import { recordsById } from '../planning/matching.ts'

/** Which fields each undone event left as they are, by its place. */
export type Kept = ReadonlyMap<number, { readonly event: EventRow; readonly fields: readonly string[] }>

const undoes: Readonly<Record<string, (undoing: Undoing, event: UndoneEvent) => Promise<EventUndone>>> = {
  student: undoStudentEvent,
  class: undoClassEvent,
  field: undoFieldEvent,
}

/**
 * Undoes events of an import, the last one first. What was changed since stays, and so does what the account may not
 * undo any more.
 * @param places of the events; undefined: of those that are no row's
 */
export async function undoEvents(
  undoing: Undoing,
  changeSet: number,
  places: readonly number[] | undefined,
): Promise<Kept> {
  const { tx } = undoing
  const selected = selectEvents(tx).where('events.change_set_id', '=', changeSet)
  const chosen =
    places === undefined
      ? selected.where('events.place', '<', 0)
      : selected.where(isOneOf(tx, 'events.place', sql.val(places.join())))
  const events = (await chosen.orderBy('events.place', 'desc').execute()) as EventRow[]
  await lockRecords(tx, events)
  const changesOf = await readerOfChanges(tx, events)
  const removed = await removeUntouched(undoing, events)
  const kept = new Map<number, { event: EventRow; fields: readonly string[] }>()
  for (const event of events) {
    const undo = undoes[event.record] // settled pairs go with the students who came
    if (undo === undefined || removed.has(event.place)) continue
    const { fields, secrets } = changesOf(event)
    const isSensitive = Object.keys(secrets).length > 0
    const all = { ...fields, ...secrets }
    const undone = await undo(undoing, {
      ...{ id: event.record_id, action: event.action, isSensitive },
      ...{ fields: all, withStudents: [] },
    }).catch(keptIfDenied(Object.keys(all)))
    if (undone.kept?.length) kept.set(event.place, { event, fields: undone.kept })
  }
  return kept
}

function keptIfDenied(fields: readonly string[]) {
  return (error: unknown): EventUndone => {
    if (error instanceof Problem && ['permission_denied', 'change_set_not_found'].includes(error.code))
      return { kept: fields }
    throw error
  }
}

async function lockRecords(tx: Tx, events: readonly EventRow[]): Promise<void> {
  if (engineOf(tx) === 'sqlite') return
  for (const [record, table] of [
    ['class', 'classes'],
    ['student', 'students'],
  ] as const) {
    const ids = events.filter((event) => event.record === record).map(({ record_id }) => record_id)
    const rows = tx
      .selectFrom(table as 'students')
      .select('id')
      .where(isOneOf(tx, 'id', sql.val(ids.join())))
    if (ids.length > 0) await rows.orderBy('id').forNoKeyUpdate().execute()
  }
}

/** Removes the students who came and whom nobody touched, at once. @returns the places of their events */
async function removeUntouched(
  { tx, authority, now }: Undoing,
  events: readonly EventRow[],
): Promise<Set<number>> {
  const creations = events.filter(({ record, action }) => record === 'student' && action === 'created')
  const students = await recordsById(
    tx,
    creations.map(({ record_id }) => record_id),
  )
  const untouched = creations.filter(({ record_id, secrets }) => {
    const student = students.get(record_id)
    const needed: Permission[] = ['students.create']
    if (secrets !== null) needed.push('students.sensitive')
    return (
      student?.version === 1 && needed.every((one) => isInScope(authority.scopeOf(one), student.class_id))
    )
  })
  const rows = untouched.map(({ record_id }) => students.get(record_id)!)
  await removeStudents(tx, rows, now.toISOString())
  return new Set(untouched.map(({ place }) => place))
}
