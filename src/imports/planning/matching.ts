import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../../db/engine.ts'
import { isOneOf, isOneOfTexts } from '../../db/is-one-of.ts'
import { executePlanned } from '../../db/planned.ts'
import type { Db } from '../../db/tables.ts'
import { selectRecords } from '../../students/queries.ts'
import type { StudentRow } from '../../students/record.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { type ComparedStudent, comparedColumns } from '../cells/flat-student.ts'
import type { GivenRow, RowValues } from '../cells/row-values.ts'
import { behind, identifiersPrefix } from '../columns/prefixes.ts'
import type { Decision, Settings } from '../model.ts'

/** What was decided on a doubtful row; `id`: the student whom it is. */
export interface Decided {
  readonly decision: Decision
  readonly id: number | null
}

/** A row of the file as it is read. */
export interface ReadRow extends RowValues {
  readonly place: number
  readonly decided?: Decided | undefined
}

/** The students whom the rows of a slice may be, by what tells them apart. */
export interface Known {
  readonly byId: ReadonlyMap<number, ComparedStudent>
  /** By the key of a number; a former number is its student's too. */
  readonly byNumber: ReadonlyMap<string, number>
  readonly formerNumbers: ReadonlyMap<string, number>
  /** By the keys that `identifierKeys` gives. */
  readonly byIdentifier: ReadonlyMap<string, number>
}

export const nobody: Known = {
  byId: new Map(),
  byNumber: new Map(),
  formerNumbers: new Map(),
  byIdentifier: new Map(),
}

/** The column by which rows match: `admission_number`, or `identifiers.SYSTEM`. */
export function matchOf(settings: Settings): string {
  return String(settings.match ?? 'admission_number')
}

export function numberKeyOf(values: GivenRow): string | undefined {
  const number = values.admission_number
  return typeof number === 'string' ? uniqueKey(number) : undefined
}

/** The keys of a row's identifiers; of one column, where it is named. */
export function identifierKeys(values: GivenRow, of?: string): string[] {
  const columns = of ? [of] : Object.keys(values)
  return columns.flatMap((column) => {
    const value = values[column]
    const name = behind(identifiersPrefix, column)
    if (name === undefined || !Array.isArray(value)) return []
    const system = uniqueKey(name)
    return value.map((one) => JSON.stringify([system, uniqueKey(one)]))
  })
}

/**
 * Reads who is known by what the rows give; a statement for each way to be known, however many rows there are. A number
 * that a student has is no other's former one.
 */
export async function findKnown(
  db: Db,
  rows: readonly ReadRow[],
  further: readonly number[],
): Promise<Known> {
  const numbers = new Set(rows.flatMap(({ values }) => numberKeyOf(values) ?? []))
  const identifiers = new Set(rows.flatMap(({ values }) => identifierKeys(values)))
  const numbered = await selectCompared(db, numbers, (keys) => isOneOfTexts(db, 'admission_key', keys))
  const byNumber = new Map(numbered.map(({ id, admission_key }) => [admission_key, id]))
  const [formerNumbers, byIdentifier] = await Promise.all([
    idsByFormerNumber(db, [...numbers.difference(byNumber)]),
    idsByIdentifier(db, [...identifiers]),
  ])
  const others = new Set([...byIdentifier.values(), ...further]).difference(new Set(byNumber.values()))
  const identified = await selectCompared(db, others, (ids) => isOneOf(db, 'id', ids))
  const byId = new Map([...numbered, ...identified].map((student) => [student.id, student]))
  return { byId, byNumber, formerNumbers, byIdentifier }
}

async function selectCompared<Key>(
  db: Db,
  keys: ReadonlySet<Key>,
  areOf: (keys: readonly Key[]) => RawBuilder<boolean>,
): Promise<(ComparedStudent & { readonly admission_key: string })[]> {
  if (keys.size === 0) return []
  const columns = [...comparedColumns, 'admission_key'] as const
  const students = db
    .selectFrom('students')
    .select(columns)
    .where(areOf([...keys]))
  return (await executePlanned(db, students)).rows
}

/** Students with all that is stored of them, by id. */
export async function recordsById(db: Db, ids: readonly number[]): Promise<Map<number, StudentRow>> {
  if (ids.length === 0) return new Map()
  const records = selectRecords(db).where(isOneOf(db, 'students.id', ids))
  const { rows: students } = await executePlanned(db, records)
  return new Map(students.map((student) => [student.id, student]))
}

async function idsByFormerNumber(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const numbers = db
    .selectFrom('former_numbers')
    .select(['student_id', 'admission_key'])
    .where(isOneOfTexts(db, 'admission_key', keys))
  const { rows } = await executePlanned(db, numbers)
  return new Map(rows.map(({ student_id, admission_key }) => [admission_key, student_id]))
}

async function idsByIdentifier(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const json = `[${keys.join()}]`
  const given =
    engineOf(db) === 'postgres'
      ? sql`json_array_elements(${json}::json) as given (value)`
      : sql`json_each(${json}) as given`
  const holders = sql<{ system_key: string; value_key: string; student_id: number }>`
    select system_key, value_key, student_id from ${given} join student_identifiers
      on system_key = given.value ->> 0 and value_key = given.value ->> 1`
  const { rows } = await executePlanned(db, holders)
  return new Map(
    rows.map(({ system_key, value_key, student_id }) => [
      JSON.stringify([system_key, value_key]),
      student_id,
    ]),
  )
}
