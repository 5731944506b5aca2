import type { Instant } from '../../db/tables.ts'
import type { Tx } from '../../events/log.ts'
import { insertField } from '../../fields/changes.ts'
import { findFields, lockFields } from '../../fields/queries.ts'
import type { Makes } from '../model.ts'

/**
 * Makes the fields that are not there yet, inside the write that begins to apply.
 * @throws Problem as their room does
 */
export async function makeFields(tx: Tx, { fields }: Makes, now: Instant): Promise<void> {
  if (fields.length === 0) return
  await lockFields(tx)
  const known = new Set((await findFields(tx)).map(({ key }) => key))
  for (const field of fields)
    if (!known.has(field.key)) await insertField(tx, { kind: 'text', ...field }, now)
}
