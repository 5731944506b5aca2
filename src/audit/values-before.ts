import type { Selectable } from 'kysely'
import { isOneOf } from '../db/is-one-of.ts'
import type { Db, Tables } from '../db/tables.ts'
import type { ChangedFields } from '../events/log.ts'
import { type EventRow, readerOfChanges, selectEvents, type ToldChanges } from './entries.ts'

/** An earlier change of the same record. */
interface Earlier {
  /** Whether nothing of it holds any more: it was undone, or is an undo, which goes with what it undid. */
  readonly isWithdrawn: boolean
  readonly changes: ToldChanges
}

type EarlierRow = EventRow & Pick<Selectable<Tables['change_sets']>, 'kind' | 'undone_by'>

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
  const values = Object.entries({ ...changed, ...joinedWith(changed, before) })
  return Object.fromEntries(values.map(([name, [from, to]]) => [name, [valueBefore(name, from, before), to]]))
}

/** Whether a name was joined before goes back with the name, though another change had said that it is not. */
function joinedWith(changed: ChangedFields, before: readonly Earlier[]): ChangedFields {
  if (changed.name === undefined || changed.name_joined !== undefined) return {}
  const last = before.find(({ changes }) => changes.fields.name_joined !== undefined)
  if (!last?.isWithdrawn) return {}
  const [, told] = last.changes.fields.name_joined!
  return valueBefore('name_joined', told, before) === told ? {} : { name_joined: [told, told] }
}

/** @param before the newest first */
function valueBefore(name: string, from: unknown, before: readonly Earlier[]): unknown {
  let value = from
  for (const { isWithdrawn, changes } of before) {
    const change = changes.fields[name] ?? changes.secrets[name]
    if (change === undefined) continue
    if (!isWithdrawn || JSON.stringify(change[1]) !== JSON.stringify(value)) return value
    value = change[0]
  }
  return value
}

/**
 * Earlier changes of the same records, the newest first: of those of which one was undone. Of what this change set took
 * back, or brought again, the opposite will hold.
 */
async function earlierChanges(db: Db, events: readonly EventRow[]): Promise<Map<string, Earlier[]>> {
  const changeSet = events[0]?.change_set_id ?? 0
  const found: EarlierRow[] = []
  for (const record of ['student', 'class'] as const) {
    const of = (ids: readonly number[]) =>
      selectEvents(db)
        .innerJoin('change_sets', 'change_sets.id', 'events.change_set_id')
        .select(['change_sets.kind', 'change_sets.undone_by'])
        .where(isOneOf(db, 'events.record_id', new Set(ids)))
        .where('events.record', '=', record)
        .where('events.change_set_id', '<', changeSet)
        .orderBy('events.change_set_id', 'desc')
        .orderBy('events.place', 'desc')
    const touched = events.filter((event) => event.record === record).map(({ record_id }) => record_id)
    if (touched.length === 0) continue
    const undone = await of(touched).where('change_sets.undone_by', 'is not', null).execute()
    if (undone.length > 0) found.push(...(await of(undone.map(({ record_id }) => record_id)).execute()))
  }
  if (found.length === 0) return new Map()
  const turned = await undoneInTheEnd(db, changeSet)
  const changesOf = await readerOfChanges(db, found)
  const isWithdrawn = ({ change_set_id, kind, undone_by }: EarlierRow) =>
    kind === 'undo' || (undone_by !== null) !== (change_set_id === turned)
  return Map.groupBy(
    found.map((row) => ({
      record: recordOf(row),
      isWithdrawn: row.action === 'changed' && isWithdrawn(row),
      changes: changesOf(row),
    })),
    ({ record }) => record,
  )
}

/** What an undo took back, or brought again: the change set behind all undos of undos. */
async function undoneInTheEnd(db: Db, id: number): Promise<number> {
  const { undoes } = await db
    .selectFrom('change_sets')
    .select('undoes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return undoes === null ? id : undoneInTheEnd(db, undoes)
}

const recordOf = ({ record, record_id }: EventRow) => `${record} ${record_id}`
