import { type EventRow, selectEvents } from '../../audit/entries.ts'
import { giveBack, type Returning, returningOf } from '../../audit/give-back.ts'
import { undoClassEvent } from '../../audit/undo-class.ts'
import { undoFieldEvent } from '../../audit/undo-field.ts'
import { undoStudentEvent } from '../../audit/undo-student.ts'
import {
  type EventUndone,
  lockRecordsOf,
  type Undoing,
  type UndoneEvent,
  undoneEvent,
} from '../../audit/undoing.ts'
import { readerOfValuesBefore } from '../../audit/values-before.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import { Problem } from '../../problems.ts'
import type { StudentRow } from '../../students/record.ts'
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
      : selected.where(isOneOf(tx, 'events.place', places))
  const events = await chosen.orderBy('events.place', 'desc').execute()
  await lockRecordsOf(tx, events)
  const changesOf = await readerOfValuesBefore(tx, events)
  const ids = events.filter(({ record }) => record === 'student').map(({ record_id }) => record_id)
  const students = await recordsById(tx, ids)
  const due = events
    .filter(({ record }) => record in undoes) // settled pairs go with the students who came
    .map((event) => {
      const row = event.record === 'student' ? students.get(event.record_id) : undefined
      return { event, row, change: undoneEvent(event, changesOf(event)) }
    })
  const kept = new Map<number, { event: EventRow; fields: readonly string[] }>()
  const tell = (event: EventRow, { kept: fields = [] }: EventUndone) => {
    if (fields.length > 0) kept.set(event.place, { event, fields })
  }
  const together = due.flatMap(({ event, row, change }) =>
    row === undefined ? [] : [{ event, returning: returningOrKept(undoing, change, row) }],
  )
  const undone = await giveBack(
    undoing,
    together.map(({ returning }) => returning),
  )
  for (const [i, { event }] of together.entries()) tell(event, undone[i]!)
  for (const { event, row, change } of due)
    if (row === undefined)
      tell(event, await undoes[event.record]!(undoing, change).catch(keptIfDenied(change)))
  return kept
}

function returningOrKept(undoing: Undoing, change: UndoneEvent, row: StudentRow): Returning {
  try {
    return returningOf(undoing, change, row)
  } catch (error) {
    return { row, goes: false, back: {}, ...keptIfDenied(change)(error) }
  }
}

function keptIfDenied({ fields }: UndoneEvent) {
  return (error: unknown): { kept: string[] } => {
    if (error instanceof Problem && ['permission_denied', 'change_set_not_found'].includes(error.code))
      return { kept: Object.keys(fields) }
    throw error
  }
}
