import type { Instant } from '../../db/tables.ts'
import type { Tx } from '../../events/log.ts'
import { insertField } from '../../fields/changes.ts'
import { findFields, lockFields } from '../../fields/queries.ts'
import type { Makes } from '../model.ts'

/**
 * Makes the fields that are not there yet, inside the write that begins to apply. One that came since and is not
 * sensitive, though it was to be, has the label or the key.
 * @throws Problem as their room does
 */
export async function makeFields(tx: Tx, { fields }: Makes, now: Instant): Promise<void> {
  if (fields.length === 0) return
  await lockFields(tx)
  const known = new Map((await findFields(tx)).map((field) => [field.key, field]))
  for (const field of fields) {
    const there = known.get(field.key)
    const isAsPlanned = there !== undefined && (there.sensitive || !field.sensitive)
    if (!isAsPlanned) await insertField(tx, { kind: 'text', ...field }, now)
  }
}
