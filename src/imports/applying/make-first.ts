import { insertClass } from '../../classes/changes.ts'
import { isOneOfTexts } from '../../db/is-one-of.ts'
import type { Db, Instant } from '../../db/tables.ts'
import type { Tx } from '../../events/log.ts'
import { insertField } from '../../fields/changes.ts'
import { findFields, lockFields } from '../../fields/queries.ts'
import { uniqueKey } from '../../text/normalise.ts'

/** What an import makes before its rows. */
export interface Makes {
  readonly classes: readonly string[]
  readonly fields: readonly { readonly key: string; readonly label: string }[]
}

/**
 * Makes the classes and fields that are not there yet, inside the write that begins to apply.
 * @throws Problem as their rooms do
 */
export async function makeFirst(tx: Tx, { classes, fields }: Makes, now: Instant): Promise<void> {
  const there = await classesByLabel(tx, classes)
  for (const label of classes) if (!there.has(uniqueKey(label))) await insertClass(tx, { label }, now)
  if (fields.length === 0) return
  await lockFields(tx)
  const known = new Set((await findFields(tx)).map(({ key }) => key))
  for (const field of fields)
    if (!known.has(field.key)) await insertField(tx, { ...field, kind: 'text' }, now)
}

/** The ids of classes by the keys of their labels. */
export async function classesByLabel(db: Db, labels: readonly string[]): Promise<Map<string, number>> {
  if (labels.length === 0) return new Map()
  const found = await db
    .selectFrom('classes')
    .select(['id', 'label_key'])
    .where(isOneOfTexts(db, 'label_key', labels.map(uniqueKey)))
    .execute()
  return new Map(found.map(({ id, label_key }) => [label_key, id]))
}
