import { isOneOf } from '../db/is-one-of.ts'
import type { Instant } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { lockDefinitions } from '../fields/definitions.ts'
import { studentChange } from './events.ts'
import { writeValueKeys } from './own-fields.ts'
import type { StudentRow } from './record.ts'
import { forgetPairsOfAll } from './settled-pairs.ts'

/** Removes students whose creation is undone. Their ids are not used again; their numbers are free. */
export async function removeStudents(tx: Tx, rows: readonly StudentRow[], at: Instant): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  const hasOwn = rows.some(({ own_fields }) => own_fields !== null)
  const definitions = hasOwn ? await lockDefinitions(tx) : undefined
  const owns = new Map(
    rows.flatMap(({ id, own_fields: before }) =>
      before === null
        ? []
        : [[id, { before, stored: null, setsSensitive: false, definitions: definitions! }] as const],
    ),
  )
  await writeValueKeys(
    tx,
    [...owns].map(([id, own]) => ({ id, own })),
  )
  await forgetPairsOfAll(tx, ids, at)
  await tx
    .deleteFrom('students')
    .where(isOneOf(tx, 'id', ids))
    .execute()
  for (const row of rows) {
    const change = studentChange({ before: row, after: {} }, at, owns.get(row.id))
    tx.record({ ...change, id: row.id, action: 'removed' })
  }
}
