import type { Instant } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { studentChange } from './events.ts'
import { removedOwnFields, writeValueKeys } from './own-fields.ts'
import type { StudentRow } from './record.ts'
import { forgetPairsOf } from './settled-pairs.ts'

/** Removes a student whose creation is undone. The id is not used again; the number is free. */
export async function removeStudent(tx: Tx, row: StudentRow, at: Instant): Promise<void> {
  const own = await removedOwnFields(tx, row.own_fields)
  if (own !== undefined) await writeValueKeys(tx, row.id, own)
  await forgetPairsOf(tx, row.id, at)
  await tx.deleteFrom('students').where('id', '=', row.id).execute()
  tx.record({ ...studentChange({ before: row, after: {} }, at, own), id: row.id, action: 'removed' })
}
