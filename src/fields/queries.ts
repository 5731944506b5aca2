import { lockRow } from '../db/row-locks.ts'
import type { Db, Instant } from '../db/tables.ts'
import { Problem } from '../problems.ts'
import type { Kind } from './kinds.ts'

/** A field of the school's own. */
export interface Field {
  readonly id: number
  /** What its values are named by, in records; fixed, as the kind is. */
  readonly key: string
  readonly label: string
  readonly kind: Kind
  /** What can be chosen; null where the kind has no options. */
  readonly options: string[] | null
  /** Whether its values are seen and set with `students.sensitive` only. */
  readonly sensitive: boolean
  /** Its place among the others. Fields with the same position are ordered by id. */
  readonly position: number
  /** Whether it is hidden from records, with its values. */
  readonly archived: boolean
  readonly version: number
  readonly updated_at: Instant
}

/** A field as its row has it. */
export type FieldRow = Omit<Field, 'kind' | 'options' | 'sensitive' | 'archived'> & {
  readonly kind: string
  readonly options: string | null
  readonly sensitive: number
  readonly archived_at: Instant | null
}

export const fieldColumns = [
  'fields.id',
  'fields.key',
  'fields.label',
  'fields.kind',
  'fields.options',
  'fields.sensitive',
  'fields.position',
  'fields.archived_at',
  'fields.version',
  'fields.updated_at',
] as const

/** A row of `fieldColumns` as it is shown. */
export function toField(row: FieldRow): Field {
  const { id, key, label, kind, options, sensitive, position, archived_at, version, updated_at } = row
  return {
    id,
    key,
    label,
    kind: kind as Kind,
    options: options === null ? null : JSON.parse(options),
    sensitive: sensitive === 1,
    position,
    archived: archived_at !== null,
    version,
    updated_at,
  }
}

const selectFields = (db: Db) => db.selectFrom('fields').select(fieldColumns)

/** Every field, in the order in which they are shown. */
export async function findFields(db: Db): Promise<Field[]> {
  return (await selectFields(db).orderBy('position').orderBy('id').execute()).map(toField)
}

/** @throws Problem field_not_found */
export async function getField(db: Db, id: number): Promise<Field> {
  const row = await selectFields(db).where('id', '=', id).executeTakeFirst()
  if (row !== undefined) return toField(row)
  throw new Problem('field_not_found', 'There is no field with this id; GET /api/fields lists the fields.')
}

/** Lets nobody else change a field, or give a record a value, until the write ends. */
export async function lockFields(db: Db): Promise<void> {
  await lockRow(db, 'field_changes', 1)
}
