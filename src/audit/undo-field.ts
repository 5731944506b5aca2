import { deleteField } from '../fields/changes.ts'
import { hasValues } from '../fields/in-use.ts'
import { findFields, lockFields } from '../fields/queries.ts'
import { type EventUndone, revertible, type Undoing, type UndoneEvent } from './undoing.ts'

/**
 * Undoes that an import made a field of the school's own: it goes where nobody changed it, and nobody has a value.
 * @throws Problem permission_denied
 */
export async function undoFieldEvent(
  { tx, authority, now }: Undoing,
  { id, fields }: UndoneEvent,
): Promise<EventUndone> {
  authority.require('fields.manage')
  await lockFields(tx)
  const field = (await findFields(tx)).find((one) => one.id === id)
  if (field === undefined) return { kept: Object.keys(fields) }
  const { kept } = revertible(fields, { ...field })
  if (kept.length > 0 || field.archived) return { kept: kept.length > 0 ? kept : ['archived'] }
  if (await hasValues(tx, field)) return { kept: ['students'] }
  await deleteField(tx, field, now.toISOString())
  return { undone: [] }
}
