import { type SelectQueryBuilder, sql } from 'kysely'
import { permissionDenied } from '../access/denials.ts'
import { jsonRows } from '../db/json-rows.ts'
import { heldBack } from '../db/statement-marks.ts'
import type { Db, Instant, Tables } from '../db/tables.ts'
import { changedFields } from '../events/changed-fields.ts'
import type { ChangedFields } from '../events/log.ts'
import { type Definitions, definitionsAt, lockDefinitions, noDefinitions } from '../fields/definitions.ts'
import type { FieldValue } from '../fields/kinds.ts'
import type { Field } from '../fields/queries.ts'
import { readValue, valueKeysOf } from '../fields/values.ts'
import { escapePointer, faultsProblem } from '../http/validation.ts'
import type { Fault, FieldFault } from '../problems.ts'

/** Values of the school's own fields as they are given, by key; null takes one away. */
export type GivenFields = Readonly<Record<string, FieldValue | null>>

/** What a student has of the school's own fields, and the version of these; null where it has none. */
export interface OwnFieldsRow {
  /** JSON, as in the table. */
  readonly own_fields: string | null
  readonly fields_version?: number | null
  readonly fields_updated_at?: Instant | null
}

/** Reads the version of the fields with the students that have some. */
export function withFieldsVersion<Row>(students: SelectQueryBuilder<Tables, 'students' | 'classes', Row>) {
  return students
    .leftJoin('field_changes', (join) =>
      join.on('students.own_fields', 'is not', null).on('field_changes.id', '=', 1),
    )
    .select(['field_changes.version as fields_version', 'field_changes.updated_at as fields_updated_at'])
}

/** The fields by which a student is shown. Where it has none, nothing is read. */
export async function definitionsOf(db: Db, row: OwnFieldsRow): Promise<Definitions> {
  const { own_fields, fields_version: version, fields_updated_at: updated_at } = row
  return own_fields === null
    ? noDefinitions
    : definitionsAt(db, { version: version!, updated_at: updated_at! })
}

/** What a write makes of a student's own fields. */
export interface OwnFields {
  /** What stood before, and what is to stand, as in the table. */
  readonly before: string | null
  readonly stored: string | null
  /** Whether anything sensitive is given, if only to take it away. */
  readonly setsSensitive: boolean
  /** The fields; none changes until the write ends. */
  readonly definitions: Definitions
}

/**
 * Reads what is given by the fields as they stand in this write.
 * @param withSensitive whether the caller may set sensitive values
 * @returns undefined where nothing is given: then nothing is read
 * @throws Problem permission_denied, or validation_failed that names every bad value
 */
export async function readOwnFields(
  db: Db,
  given: GivenFields | undefined,
  before: string | null,
  withSensitive: boolean,
): Promise<OwnFields | undefined> {
  if (given === undefined || Object.keys(given).length === 0) return undefined
  return readOwnFieldsBy(await lockDefinitions(db), given, before, withSensitive)
}

/** The same, by fields that are read already, and that nobody changes until the write ends. */
export function readOwnFieldsBy(
  definitions: Definitions,
  given: GivenFields,
  before: string | null,
  withSensitive: boolean,
): OwnFields {
  const byKey = new Map(definitions.fields.map((field) => [field.key, field]))
  const setsSensitive = Object.keys(given).some((key) => byKey.get(key)?.sensitive)
  if (setsSensitive && !withSensitive) throw permissionDenied('students.sensitive')

  const faults: FieldFault[] = []
  const values = valuesOf(before)
  for (const [key, value] of Object.entries(given)) {
    const field = byKey.get(key)
    const pointer = `/fields/${escapePointer(key)}`
    if (field === undefined || field.archived) faults.push({ pointer, ...noSuchField(definitions, field) })
    else values.set(key, readValue(field, value, pointer, faults))
  }
  if (faults.length > 0) throw faultsProblem(faults)
  return { before, stored: storedValues(definitions, values), setsSensitive, definitions }
}

/** A student's own fields by the names that the log has for them. */
export function loggedOwnFields(stored: string | null): Record<string, unknown> {
  return Object.fromEntries([...valuesOf(stored)].map(([key, value]) => [`fields.${key}`, value]))
}

function noSuchField({ shown }: Definitions, archived: Field | undefined): Fault {
  if (archived !== undefined) return { code: 'archived_field', detail: 'is archived, and takes no value' }
  const detail = 'is not the key of a field; GET /api/fields lists the fields'
  return { code: 'unknown_member', detail, params: { accepted: shown.keys } }
}

type Values = Map<string, FieldValue | null>

function valuesOf(stored: string | null): Values {
  return new Map(Object.entries(stored === null ? {} : JSON.parse(stored)))
}

/** In the order of ids, which never changes: equal values are equal texts. */
function storedValues({ fields }: Definitions, values: Values): string | null {
  const inOrder = fields.toSorted((one, other) => one.id - other.id)
  const kept = inOrder.map(({ key }) => [key, values.get(key) ?? null]).filter(([, value]) => value !== null)
  return kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept))
}

/** What a write makes of the own fields of one student. */
interface OwnFieldsOf {
  readonly id: number
  readonly own: OwnFields
}

/** Keeps `student_field_values`, by which lists are filtered, as the students' column is to be. */
export async function writeValueKeys(db: Db, students: readonly OwnFieldsOf[]): Promise<void> {
  const [gone, come]: ValueKey[][] = [[], []]
  for (const { id, own } of students) {
    const had = valueKeys(own.before, own.definitions)
    const has = valueKeys(own.stored, own.definitions)
    gone!.push(...keysOf(id, had.difference(has)))
    come!.push(...keysOf(id, has.difference(had)))
  }
  const columns = { field_id: 'integer', value_key: 'text', student_id: 'integer' } as const
  const mark = sql.raw(heldBack)
  if (gone!.length > 0) {
    await sql`${mark}delete from student_field_values where (field_id, value_key, student_id) in (
      select field_id, value_key, student_id from ${jsonRows(db, gone!, columns)})`.execute(db)
  }
  if (come!.length === 0) return
  await sql`${mark}insert into student_field_values (field_id, value_key, student_id)
    select field_id, value_key, student_id from ${jsonRows(db, come!, columns)}`.execute(db)
}

interface ValueKey {
  readonly field_id: number
  readonly value_key: string
  readonly student_id: number
}

/** Pairs of a field's id and a value key, each as JSON. */
function valueKeys(stored: string | null, { fields }: Definitions): Set<string> {
  const values = valuesOf(stored)
  const pairs = fields.flatMap((field) => {
    const value = values.get(field.key) ?? null
    return value === null ? [] : valueKeysOf(field, value).map((key) => JSON.stringify([field.id, key]))
  })
  return new Set(pairs)
}

function keysOf(student_id: number, pairs: ReadonlySet<string>): ValueKey[] {
  return [...pairs].map((pair) => {
    const [field_id, value_key] = JSON.parse(pair)
    return { field_id, value_key, student_id }
  })
}

/**
 * What the log tells of a change of a student's own fields: the fields are named `fields.KEY`, and the sensitive
 * ones stand apart.
 * @param before as in the table; after: the same
 */
export function changedOwnFields(
  before: string | null,
  after: string | null,
  { fields: all }: Pick<Definitions, 'fields'>,
): { fields: ChangedFields; secrets: ChangedFields } {
  const changesOf = (isSensitive: boolean) => {
    const named = all.filter(({ sensitive }) => sensitive === isSensitive)
    const names = named.map(({ key }) => `fields.${key}`)
    return changedFields(names, loggedOwnFields(before), loggedOwnFields(after))
  }
  return { fields: changesOf(false), secrets: changesOf(true) }
}
