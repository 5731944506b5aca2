import type { Authority } from '../../access/authority.ts'
import { insertClass } from '../../classes/changes.ts'
import { isOneOfTexts } from '../../db/is-one-of.ts'
import type { Db, Instant } from '../../db/tables.ts'
import type { Tx } from '../../events/log.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { mayNot } from '../import-ends.ts'

/**
 * The ids of classes by the keys of their labels, inside the write whose rows are in them. What the change set made
 * keeps the label by which it was made, whatever it is called by now. Classes that are not there are made, and no sooner:
 * none stands without a student because its rows are refused or left out.
 * @throws ImportEnds where the account may not make classes any more; Problem as their room does
 */
export async function classesFor(
  tx: Tx,
  changeSet: number,
  authority: Authority,
  labels: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, number>> {
  const named = [...new Set(labels)]
  if (named.length === 0) return new Map()
  const ids = await idsByKey(tx, named.map(uniqueKey))
  for (const { id, label } of await classesMadeBy(tx, changeSet)) ids.set(uniqueKey(label), id)
  for (const label of named) {
    if (ids.has(uniqueKey(label))) continue
    if (authority.scopeOf('classes.manage') !== 'all') throw mayNot('make classes')
    ids.set(uniqueKey(label), await insertClass(tx, { label }, now))
  }
  return ids
}

/** The classes that an import made for its rows, with the labels that they had then. */
export async function classesMadeBy(
  db: Db,
  changeSet: number,
): Promise<{ readonly id: number; readonly label: string }[]> {
  const events = await db
    .selectFrom('events')
    .select(['record_id', 'fields'])
    .where('change_set_id', '=', changeSet)
    .where('place', '<', 0)
    .where('record', '=', 'class')
    .execute()
  return events.map(({ record_id: id, fields }) => ({ id, label: JSON.parse(fields).label[1] }))
}

async function idsByKey(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  const found = await db
    .selectFrom('classes')
    .select(['id', 'label_key'])
    .where(isOneOfTexts(db, 'label_key', keys))
    .execute()
  return new Map(found.map(({ id, label_key }) => [label_key, id]))
}
