import { sql } from 'kysely'
import { instantOn } from '../db/engine.ts'
import { jsonRows } from '../db/json-rows.ts'
import { executePlanned } from '../db/planned.ts'
import type { Db, Instant } from '../db/tables.ts'
import { violatesForeignKey, violatesUnique } from '../db/violations.ts'
import type { Tx } from '../events/log.ts'
import { detailNames } from './details.ts'
import { studentChange } from './events.ts'
import { derivedNames } from './lists/lists.ts'
import { expectMany } from './lists/postgres/pending.ts'
import { admissionNumberTaken, isFree } from './numbers/given-once.ts'
import type { OwnFields } from './own-fields.ts'
import { refusalOf, type StoredStudent, unknownClass } from './queries.ts'
import { insertSideRows } from './side-tables.ts'

/** One of many students who come at once. */
export interface ComingStudent {
  readonly student: StoredStudent
  readonly own: OwnFields | undefined
  /** See `RecordChange`. */
  readonly place: number
}

/** The columns of a student that are sent as texts. */
const given = ['name', 'admission_number', ...detailNames, 'identifiers', 'guardians', 'own_fields'] as const

/**
 * Inserts many students in one statement, and what stands of them in tables of its own in one more each; logs each.
 * @returns their ids, in the same order
 * @throws Problem as `insertStudent` does, for any of them
 */
export async function insertStudents(
  tx: Tx,
  coming: readonly ComingStudent[],
  now: Instant,
): Promise<number[]> {
  if (coming.length === 0) return []
  await expectMany(tx)
  const rows = coming.map(({ student, own }) => ({ ...student, own_fields: own?.stored ?? null }))
  const ids = await idsOfInserted(tx, rows, now)
  if (ids.size < rows.length) throw await refusalOfMany(tx, rows)
  const inserted = rows.map((row, i) => ({ ...row, id: ids.get(row.admission_key)!, own: coming[i]!.own }))
  await insertSideRows(tx, inserted)
  for (const [i, { id, own, ...row }] of inserted.entries()) {
    const creation = studentChange({ before: {}, after: row }, now, own)
    tx.record({ ...creation, id, action: 'created', place: coming[i]!.place })
  }
  return inserted.map(({ id }) => id)
}

interface InsertedRow {
  readonly admission_key: string
  readonly class_id: number
}

/** Those that are not inserted have no class that takes them, or no number of their own. */
async function idsOfInserted(
  tx: Tx,
  rows: readonly InsertedRow[],
  now: Instant,
): Promise<Map<string, number>> {
  const derived = derivedNames(tx)
  const texts = Object.fromEntries([...given, ...derived].map((name) => [name, 'text'] as const))
  const columns = { class_id: 'integer', name_joined: 'integer', ...texts } as const
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  const values = sql.join(Object.keys(columns).map((name) => sql.ref(`given.${name}`)))
  const instant = instantOn(tx, now)
  const taking = sql`select 1 from classes where classes.id = given.class_id and archived_at is null`
  try {
    const insert = sql<{ id: number; admission_key: string }>`
      insert into students (${names}, created_at, updated_at)
      select ${values}, ${instant}, ${instant} from ${jsonRows(tx, rows, columns)}
      where exists (${taking}) and ${isFree(sql.ref('given.admission_key'), 0)}
      returning id, admission_key`
    const { rows: inserted } = await executePlanned(tx, insert)
    return new Map(inserted.map(({ id, admission_key }) => [admission_key, id]))
  } catch (error) {
    if (violatesUnique(error, 'students.admission_key')) throw admissionNumberTaken(error)
    throw violatesForeignKey(error) ? unknownClass() : error
  }
}

async function refusalOfMany(db: Db, rows: readonly InsertedRow[]) {
  for (const classId of new Set(rows.map(({ class_id }) => class_id))) {
    const refusal = await refusalOf(db, classId)
    if (refusal.code !== 'admission_number_taken') return refusal
  }
  return admissionNumberTaken()
}
