import type { Authority } from '../access/authority.ts'
import { lockPlatform } from '../access/platform.ts'
import { lockRows } from '../db/row-locks.ts'
import type { Db } from '../db/tables.ts'
import type { ChangedFields, Tx } from '../events/log.ts'
import { Problem } from '../problems.ts'
import type { EventRow, ToldChanges } from './entries.ts'

/** What an undo works with, inside its write. */
export interface Undoing {
  readonly tx: Tx
  readonly authority: Authority
  /** The account that undoes; null: a command. */
  readonly by: number | null
  readonly now: Date
}

/** An event to be undone. */
export interface UndoneEvent {
  readonly id: number
  readonly action: EventRow['action']
  /** What changed, with what only some may see. */
  readonly fields: ChangedFields
  /** Whether something changed that only some may see. */
  readonly isSensitive: boolean
  /** The students who came, or went, in the same change set. */
  readonly withStudents: readonly number[]
}

/** Lets nobody else change what some events changed, until the write ends. */
export async function lockRecordsOf(
  db: Db,
  events: readonly Pick<EventRow, 'record' | 'record_id'>[],
): Promise<void> {
  const idsOf = (kind: EventRow['record']) =>
    events.filter(({ record }) => record === kind).map(({ record_id }) => record_id)
  const classes = idsOf('class')
  if (classes.length > 0) await lockPlatform(db) // one may be deleted: see `deleteClass`
  await lockRows(db, 'classes', classes)
  await lockRows(db, 'students', idsOf('student'))
}

/** An event to be undone, of what it changed. @param withStudents see `UndoneEvent` */
export function undoneEvent(
  { record_id: id, action }: EventRow,
  { fields, secrets }: ToldChanges,
  withStudents: readonly number[] = [],
): UndoneEvent {
  const isSensitive = Object.keys(secrets).length > 0
  return { id, action, isSensitive, fields: { ...fields, ...secrets }, withStudents }
}

/** Which fields of an event went back, and which stay; `undone` is undefined where nothing did. */
export interface EventUndone {
  readonly undone?: readonly string[]
  readonly kept?: readonly string[]
}

/** Also for a change set of records that the caller may not see. */
export function notFound(): Problem {
  return new Problem('change_set_not_found', 'There is no change set with this id.')
}

/** What goes back, with the values that it had; and the names of what stays. */
export interface Revertible {
  readonly back: Record<string, unknown>
  readonly kept: string[]
}

/** The fields that still are what the event made of them go back, where that is another value. */
export function revertible(fields: ChangedFields, present: Readonly<Record<string, unknown>>): Revertible {
  const back: Record<string, unknown> = {}
  const kept: string[] = []
  for (const [name, [from, to]] of Object.entries(fields)) {
    const [was, made, is] = [from, to, present[name] ?? null].map((value) => JSON.stringify(value))
    if (is === made && made !== was) back[name] = from
    else kept.push(name)
  }
  return { back, kept }
}

/** Has a field stay that was to go back. */
export function keep(name: string, { back, kept }: Revertible): void {
  if (!(name in back)) return
  delete back[name]
  kept.push(name)
}
