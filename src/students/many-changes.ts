import { type RawBuilder, sql } from 'kysely'
import { passKeyOn } from '../classes/twin-keys.ts'
import { instantOn } from '../db/engine.ts'
import { isOneOf } from '../db/is-one-of.ts'
import { jsonRows } from '../db/json-rows.ts'
import { executePlanned } from '../db/planned.ts'
import type { Db, Instant } from '../db/tables.ts'
import { violatesUnique } from '../db/violations.ts'
import type { Tx } from '../events/log.ts'
import { type ChangedColumns, derivedOf } from './changes.ts'
import { studentChange } from './events.ts'
import { changesDerived, type DerivedColumns } from './lists/derived.ts'
import { expectMany } from './lists/postgres/pending.ts'
import { admissionNumberTaken, isFree, keepFormerNumber } from './numbers/given-once.ts'
import type { OwnFields } from './own-fields.ts'
import type { StudentRow } from './record.ts'
import { replaceSideRows } from './side-tables.ts'

/** One of many students who change at once. */
export interface ChangingStudent {
  /** As it stands; nobody else changes it until the write ends. */
  readonly row: StudentRow
  readonly changed: ChangedColumns
  readonly own: OwnFields | undefined
  /** See `RecordChange`. */
  readonly place?: number
}

type Update = ChangedColumns & Partial<DerivedColumns> & { readonly id: number }

/**
 * Gives columns of many students other values, each as its next version, and logs each. There is one statement for all
 * whose same columns change.
 * @throws Problem admission_number_taken or identifier_taken
 */
export async function changeStudents(
  tx: Tx,
  changing: readonly ChangingStudent[],
  now: Instant,
): Promise<void> {
  if (changing.length === 0) return
  await expectMany(tx)
  const keys = await keysOf(
    tx,
    changing.map(({ row }) => row.id),
  )
  const updates = changing.map(({ row, changed }): Update => {
    const derived = changesDerived(changed) ? derivedOf(tx, row, changed, keys.get(row.id)!) : undefined
    return { id: row.id, ...changed, ...derived }
  })
  const numbered = updates.filter(({ admission_number }) => admission_number !== undefined)
  for (const { id, admission_key } of numbered) await keepFormerNumber(tx, id, admission_key!, now)
  for (const group of Map.groupBy(updates, (update) => Object.keys(update).sort().join()).values())
    await updateAll(tx, group, now)
  for (const { id, admission_key } of numbered)
    if (keys.get(id) !== admission_key) await passKeyOn(tx, ['students', 'admission_key'], keys.get(id)!)
  await replaceSideRows(
    tx,
    changing.map(({ row: { id }, changed: { guardians, identifiers }, own }) => ({
      id,
      guardians,
      identifiers,
      own,
    })),
  )
  for (const { row, changed, own, ...place } of changing) {
    const change = studentChange({ before: row, after: { ...row, ...changed } }, now, own)
    tx.record({ ...change, id: row.id, action: 'changed', ...place })
  }
}

async function keysOf(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('students')
    .select(['id', 'admission_key'])
    .where(isOneOf(db, 'id', ids))
    .execute()
  return new Map(rows.map(({ id, admission_key }) => [id, admission_key]))
}

/** @param updates of the same columns */
async function updateAll(tx: Tx, updates: readonly Update[], now: Instant): Promise<void> {
  const names = Object.keys(updates[0]!)
  const integers = ['id', 'class_id', 'name_joined']
  const columns = Object.fromEntries(
    names.map((name) => [name, integers.includes(name) ? ('integer' as const) : ('text' as const)]),
  )
  const given: RawBuilder<unknown>[] = names
    .filter((name) => name !== 'id')
    .map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`)
  const set = [...given, sql`version = students.version + 1`, sql`updated_at = ${instantOn(tx, now)}`]
  const free = names.includes('admission_number')
    ? sql`and ${isFree(sql.ref('given.admission_key'), sql.ref('students.id'))}`
    : sql``
  try {
    const update = sql`update students set ${sql.join(set)}
      from ${jsonRows(tx, updates, columns)} where students.id = given.id ${free}`
    const { numAffectedRows } = await executePlanned(tx, update)
    if (numAffectedRows !== BigInt(updates.length)) throw admissionNumberTaken()
  } catch (error) {
    throw violatesUnique(error, 'students.admission_key') ? admissionNumberTaken(error) : error
  }
}
