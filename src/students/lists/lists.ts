import { engineOf } from '../../db/engine.ts'
import { portableRead } from '../../db/portable-reads.ts'
import type { Db } from '../../db/tables.ts'
import type { Asked, JsonPage, ListRequest } from './asked.ts'
import { type DerivedColumns, type NamedStudent, postgresDerived, sqliteDerived } from './derived.ts'
import { PostgresLists } from './postgres/lists.ts'
import { sliceStatement as postgresSlice } from './postgres/slices.ts'
import type { Slice, SlicePart } from './slices.ts'
import { SqliteLists } from './sqlite/lists.ts'
import { gatherSearchIndex, mergeSearchIndex } from './sqlite/merging.ts'
import { sliceStatement as sqliteSlice } from './sqlite/slices.ts'

/** Lists of students. */
export interface StudentLists {
  /** One page, and the exact total of the same snapshot. */
  page(asked: Asked): Promise<JsonPage>
  /** Call after each student that came or was changed. */
  changed(): void
  /** Ends what the lists do beside requests. */
  close(): void
}

/** Opens the lists of a database: each engine has its own. */
export function openStudentLists(db: Db): StudentLists {
  return engineOf(db) === 'postgres' ? new PostgresLists(db) : new SqliteLists(db)
}

/** Some students of a list that is read slice by slice. What it searches for, and its order, are not looked at. */
export async function readSlice(
  db: Db,
  { classes, conditions = [], columns }: ListRequest,
  part: SlicePart,
): Promise<Slice> {
  if (classes.length === 0) return { rows: [{ json: '[]', last: null }] }
  const statementOf = engineOf(db) === 'postgres' ? postgresSlice : sqliteSlice
  return portableRead(db, statementOf({ classes, conditions, part, columns }))
}

/** The columns by which a student is found, sorted and told apart: a record must hold them, so that lists find it. */
export function derivedColumns(db: Db, student: NamedStudent): DerivedColumns {
  return engineOf(db) === 'postgres' ? postgresDerived(student) : sqliteDerived(student)
}

/** Their names, by which the statement that inserts a student is made. */
export function derivedNames(db: Db): readonly string[] {
  return Object.keys(derivedColumns(db, { name: '', admission_number: '' }))
}

/** What housekeeping does for lists: works, each to be run in a write again and again until it returns false. */
export function upkeepOf(db: Db): ((db: Db) => Promise<boolean>)[] {
  return engineOf(db) === 'postgres' ? [] : [gatherSearchIndex, mergeSearchIndex]
}
