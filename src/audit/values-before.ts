import { sql } from 'kysely'
import { isOneOf } from '../db/is-one-of.ts'
import type { Db } from '../db/tables.ts'
import type { ChangedFields } from '../events/log.ts'
import { type EventRow, readerOfChanges, selectEvents, type ToldChanges } from './entries.ts'

/** An earlier change of the same record, and whether it was undone. */
interface Earlier {
  readonly isUndone: boolean
  readonly action: EventRow['action']
  readonly changes: ToldChanges
}

/**
 * Reads what some events of one change set changed, with what an undo of them gives back: each field's value before,
 * without changes that were undone since. A value that was taken back does not return with what was changed after it.
 */
export async function readerOfValuesBefore(
  db: Db,
  events: readonly EventRow[],
): Promise<(event: EventRow) => ToldChanges> {
  const changesOf = await readerOfChanges(db, events)
  const earlier = await earlierChanges(db, events)
  if (earlier.size === 0) return changesOf
  return (event) => {
    const [changes, before] = [changesOf(event), earlier.get(recordOf(event)) ?? []]
    return {
      fields: withValuesBefore(changes.fields, before),
      secrets: withValuesBefore(changes.secrets, before),
    }
  }
}

function withValuesBefore(changed: ChangedFields, before: readonly Earlier[]): ChangedFields {
  return Object.fromEntries(
    Object.entries(changed).map(([name, [from, to]]) => [name, [valueBefore(name, from, before), to]]),
  )
}

/** @param before the newest first */
function valueBefore(name: string, from: unknown, before: readonly Earlier[]): unknown {
  let value = from
  for (const { isUndone, action, changes } of before) {
    const change = changes.fields[name] ?? changes.secrets[name]
    if (change === undefined) continue
    const isWithdrawn =
      isUndone && action === 'changed' && JSON.stringify(change[1]) === JSON.stringify(value)
    if (!isWithdrawn) return value
    value = change[0]
  }
  return value
}

/**
 * Earlier changes of the same records, the newest first: of those of which one was undone. What these events undid
 * themselves comes again with their undo, so it does not count as undone.
 */
async function earlierChanges(db: Db, events: readonly EventRow[]): Promise<Map<string, Earlier[]>> {
  const changeSet = events[0]?.change_set_id ?? 0
  const found = []
  for (const record of ['student', 'class'] as const) {
    const of = (ids: readonly number[]) =>
      selectEvents(db)
        .innerJoin('change_sets', 'change_sets.id', 'events.change_set_id')
        .select('change_sets.undone_by')
        .where(isOneOf(db, 'events.record_id', sql.val([...new Set(ids)].join())))
        .where('events.record', '=', record)
        .where('events.change_set_id', '<', changeSet)
        .orderBy('events.change_set_id', 'desc')
        .orderBy('events.place', 'desc')
    const touched = events.filter((event) => event.record === record).map(({ record_id }) => record_id)
    if (touched.length === 0) continue
    const undone = await of(touched).where('change_sets.undone_by', 'is not', null).execute()
    if (undone.length > 0) found.push(...(await of(undone.map(({ record_id }) => record_id)).execute()))
  }
  const changesOf = await readerOfChanges(db, found as EventRow[])
  return Map.groupBy(
    (found as (EventRow & { undone_by: number | null })[]).map((row) => ({
      record: recordOf(row),
      isUndone: row.undone_by !== null && row.undone_by !== changeSet,
      action: row.action,
      changes: changesOf(row),
    })),
    ({ record }) => record,
  )
}

const recordOf = ({ record, record_id }: EventRow) => `${record} ${record_id}`
