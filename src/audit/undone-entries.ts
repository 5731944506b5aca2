import type { Db } from '../db/tables.ts'
import { type EntryRow, type EventRow, selectEvents } from './entries.ts'
import type { HowMuch } from './schema.ts'

/**
 * Reads how much of these changes went back, where their change sets were undone. An undo has an event for each record
 * of which something did.
 */
export async function readerOfUndone(
  db: Db,
  rows: readonly EntryRow[],
): Promise<(row: EntryRow) => { readonly undone?: HowMuch }> {
  const asked = new Map(rows.flatMap((row) => (row.undone_by === null ? [] : [[undoOf(row), row]])))
  if (asked.size === 0) return () => ({})
  const undone = await selectEvents(db)
    .where((q) =>
      q.or(
        [...asked.values()].map(({ record, record_id, undone_by }) =>
          q.and([
            q('events.record_id', '=', record_id),
            q('record', '=', record),
            q('events.change_set_id', '=', undone_by),
          ]),
        ),
      ),
    )
    .execute()
  const byRecord = Map.groupBy(undone, (one) => undoOf({ ...one, undone_by: one.change_set_id }))
  return (row) => (row.undone_by === null ? {} : { undone: howMuchOf(row, byRecord.get(undoOf(row)) ?? []) })
}

/** The record of a change, in the change set that undid it. */
const undoOf = ({ undone_by, record, record_id }: Pick<EntryRow, 'undone_by' | 'record' | 'record_id'>) =>
  `${undone_by} ${record} ${record_id}`

function howMuchOf(change: EventRow, undone: readonly EventRow[]): HowMuch {
  if (undone.some(({ action }) => action !== 'changed')) return 'all' // the record itself went, or is there again
  if (change.action !== 'changed') return 'none'
  const back = new Set(undone.flatMap(fieldsOf))
  const wentBack = fieldsOf(change).filter((field) => back.has(field))
  if (wentBack.length === 0) return 'none'
  return wentBack.length === fieldsOf(change).length ? 'all' : 'some'
}

const fieldsOf = ({ fields, secrets }: EventRow) =>
  Object.keys({ ...JSON.parse(fields), ...JSON.parse(secrets ?? '{}') })
