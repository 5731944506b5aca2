import { lockRow } from '../db/row-locks.ts'
import type { Db, Instant } from '../db/tables.ts'
import { changedFields } from '../events/changed-fields.ts'
import type { Tx } from '../events/log.ts'
import type { Versioned } from '../http/conditions.ts'
import type { NameOrder } from './name-order.ts'

/** What the school says of itself. */
export interface School {
  readonly name: string | null
  /** Lines of text. */
  readonly address: string | null
  /** An IANA name. */
  readonly time_zone: string
  readonly name_order: NameOrder
}

/** The same as it is stored, with its version. */
interface StoredSchool extends School, Versioned {}

/** The table has one row, which the migration made. */
const id = 1

const columns = ['name', 'address', 'time_zone', 'name_order'] as const

export async function getSchool(db: Db): Promise<StoredSchool> {
  const stored = db.selectFrom('school').select([...columns, 'version', 'updated_at'])
  return stored.where('id', '=', id).executeTakeFirstOrThrow()
}

/** Of two who change it at once, the second sees what the first one wrote. */
export async function lockSchool(db: Db): Promise<void> {
  await lockRow(db, 'school', id)
}

/**
 * Changes the fields of the patch that differ, behind `lockSchool`. If none differs, the version stays.
 * @returns the school from now on
 */
export async function updateSchool(
  tx: Tx,
  before: StoredSchool,
  patch: Partial<School>,
  now: Instant,
): Promise<StoredSchool> {
  const after = { ...before, ...patch, version: before.version + 1, updated_at: now }
  const fields = changedFields(columns, before, after)
  if (Object.keys(fields).length === 0) return before
  await tx.updateTable('school').set(after).where('id', '=', id).execute()
  tx.record({ record: 'school', id, action: 'changed', at: now, fields })
  return after
}

/** The school as answers show it. */
export function shownSchool({ name, address, time_zone, name_order }: School): School {
  return { name, address, time_zone, name_order }
}
