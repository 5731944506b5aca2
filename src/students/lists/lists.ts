import { engineOf } from '../../db/engine.ts'
import type { Db } from '../../db/tables.ts'
import type { Asked, JsonPage, ListRequest } from './asked.ts'
import type { DerivedColumns, NamedStudent } from './derived.ts'
import { postgresDerived } from './postgres/derived.ts'
import { PostgresLists } from './postgres/lists.ts'
import type { Slice, SlicePart } from './slices.ts'
import { sqliteDerived } from './sqlite/derived.ts'
import { SqliteLists } from './sqlite/lists.ts'
import { gatherSearchIndex, mergeSearchIndex } from './sqlite/merging.ts'

/** Lists of students, and what each record must hold so that they find it. */
export interface StudentLists {
  /** One page, and the exact total of the same snapshot. */
  page(asked: Asked): Promise<JsonPage>
  /** Some students of a list that is read slice by slice. What it searches for, and its order, are not looked at. */
  slice(list: ListRequest, part: SlicePart): Promise<Slice>
  /** The columns by which a student is found, sorted and told apart. */
  derived(student: NamedStudent): DerivedColumns
  /** Call after each student that came or was changed. */
  changed(): void
  /** Ends what the lists do beside requests. */
  close(): void
}

/** Opens the lists of a database: each engine has its own. */
export function openStudentLists(db: Db): StudentLists {
  return engineOf(db) === 'postgres' ? new PostgresLists(db) : new SqliteLists(db)
}

/** The names of the columns that `derived` gives, by which the statement that inserts a student is made. */
export function derivedNames(db: Db): readonly string[] {
  const derive = engineOf(db) === 'postgres' ? postgresDerived : sqliteDerived
  return Object.keys(derive({ name: '', admission_number: '' }))
}

/** What housekeeping does for lists: works, each to be run in a write again and again until it returns false. */
export function upkeepOf(db: Db): ((db: Db) => Promise<boolean>)[] {
  return engineOf(db) === 'postgres' ? [] : [gatherSearchIndex, mergeSearchIndex]
}
