import { sql } from 'kysely'
import { engineOf } from '../db/engine.ts'
import { hasRows } from '../db/pages.ts'
import type { Db } from '../db/tables.ts'
import { isFiltered } from './kinds.ts'
import type { Field } from './queries.ts'

/** Whether any student has a value of the field, archived or not. Call behind `lockFields`. */
export async function hasValues(db: Db, { id, key, kind }: Field): Promise<boolean> {
  if (isFiltered(kind)) return hasRows(valuesOf(db, id))
  // In JSON every quotation mark inside a text is escaped, so this is found in no value.
  const member = `"${key}":`
  const position =
    engineOf(db) === 'postgres'
      ? sql<number>`strpos(own_fields, ${member})`
      : sql<number>`instr(own_fields, ${member})`
  const students = db.selectFrom('students').select('id').where('own_fields', 'is not', null)
  return hasRows(students.where(position, '>', 0))
}

/** Those of the options that students have. Call behind `lockFields`. */
export async function optionsInUse(db: Db, { id }: Pick<Field, 'id'>, options: readonly string[]) {
  const inUse: string[] = []
  for (const option of options)
    if (await hasRows(valuesOf(db, id).where('value_key', '=', option))) inUse.push(option)
  return inUse
}

function valuesOf(db: Db, id: number) {
  return db.selectFrom('student_field_values').select('student_id').where('field_id', '=', id)
}
