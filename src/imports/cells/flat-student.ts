import { guardianParts } from '../../exports/headings.ts'
import type { Field } from '../../fields/queries.ts'
import { type DetailName, detailNames, sensitiveMembers } from '../../students/details.ts'
import { type Identifier, shownIdentifiers } from '../../students/identifiers.ts'
import type { GivenFields } from '../../students/own-fields.ts'
import type { GivenGuardian, Guardian, StudentRow } from '../../students/record.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { plannedGuardianOf } from '../columns/guardian-columns.ts'
import { behind, fieldsPrefix, identifiersPrefix } from '../columns/prefixes.ts'
import type { CellValue } from './row-values.ts'

/* A student as a row of a file has it: a value for each column, by the names of columns. */

/** For each column that changes: what stands, and what would; null: nothing. */
export type PlannedChanges = Readonly<Record<string, readonly [from: CellValue, to: CellValue]>>

/** What of a student a row is compared with. */
export const comparedColumns = [
  ...(['id', 'class_id', 'version', 'admission_number', 'name', 'name_joined'] as const),
  ...detailNames,
  ...(['guardians', 'identifiers', 'own_fields'] as const),
] as const

export type ComparedStudent = Pick<StudentRow, (typeof comparedColumns)[number]>

/** A student's lists, as they are stored, read; of a new student, none. */
export interface ParsedStudent {
  readonly row: ComparedStudent | undefined
  readonly guardians: readonly Guardian[]
  readonly identifiers: readonly Identifier[]
  readonly own: Readonly<Record<string, CellValue>>
}

export function partsOf(row: ComparedStudent | undefined): ParsedStudent {
  return {
    row,
    guardians: row?.guardians ? JSON.parse(row.guardians) : [],
    identifiers: shownIdentifiers(row?.identifiers ?? null) ?? [],
    own: row?.own_fields ? JSON.parse(row.own_fields) : {},
  }
}

/** What stands in a column. */
export function valueIn({ row, guardians, identifiers, own }: ParsedStudent, column: string): CellValue {
  const guardian = plannedGuardianOf(column)
  if (guardian !== undefined) return guardians[guardian.number - 1]?.[guardian.part] ?? null
  const field = behind(fieldsPrefix, column)
  if (field !== undefined) return own[field] ?? null
  const asked = behind(identifiersPrefix, column)
  if (asked === undefined) return row?.[column as keyof ComparedStudent] ?? null
  const key = uniqueKey(asked)
  const values = identifiers.filter(({ system }) => uniqueKey(system) === key).map(({ value }) => value)
  return values.length === 0 ? null : values
}

/** Whether a column's values need `students.sensitive`. Of a field that is gone, nobody knows any more that they do not. */
export function isSensitive(column: string, openFields: ReadonlySet<string>): boolean {
  const field = behind(fieldsPrefix, column)
  if (field !== undefined) return !openFields.has(field)
  return column.startsWith('guardian_') || (sensitiveMembers as readonly string[]).includes(column)
}

/** The keys of own fields whose values all see who see the student. */
export function openFieldsOf(
  fields: readonly (Pick<Field, 'key'> & Partial<Pick<Field, 'sensitive'>>)[],
): ReadonlySet<string> {
  return new Set(fields.filter(({ sensitive }) => !sensitive).map(({ key }) => key))
}

/** A student's columns, given together: lists are whole. */
interface GivenTogether {
  readonly plain: Readonly<
    Partial<Record<'name' | 'admission_number' | DetailName, string | null>> & {
      name_joined?: number
      class_id?: number
    }
  >
  readonly guardians?: readonly GivenGuardian[] | null
  readonly identifiers?: readonly Identifier[] | null
  readonly fields?: GivenFields
}

/** What changes of a student give: each list that changes as it is to be, whole. */
export function givenBy(parts: ParsedStudent, changes: PlannedChanges): GivenTogether {
  const plain: Record<string, unknown> = {}
  const fields: Record<string, CellValue> = {}
  let guardians: Partial<Guardian>[] | undefined
  let identifiers: readonly Identifier[] | undefined
  for (const [column, [, to]] of Object.entries(changes)) {
    const guardian = plannedGuardianOf(column)
    const field = behind(fieldsPrefix, column)
    const system = behind(identifiersPrefix, column)
    if (guardian !== undefined) {
      const at = guardian.number - 1
      guardians ??= parts.guardians.map((one) => ({ ...one }))
      guardians[at] = { ...guardians[at], [guardian.part]: to }
    } else if (field !== undefined) fields[field] = to
    else if (system !== undefined)
      identifiers = withSystem(identifiers ?? parts.identifiers, system, (to ?? []) as string[])
    else plain[column] = to
  }
  return {
    plain,
    ...(guardians && { guardians: guardians.filter(hasAny) as GivenGuardian[] }),
    ...(identifiers && { identifiers }),
    ...(Object.keys(fields).length > 0 && { fields: fields as GivenFields }),
  }
}

function hasAny(guardian: Partial<Guardian> | undefined): boolean {
  return guardian !== undefined && guardianParts.some((part) => (guardian[part] ?? null) !== null)
}

/** Identifiers with other values of a system; those of others stay where they are. */
function withSystem(
  before: readonly Identifier[],
  system: string,
  values: readonly string[],
): readonly Identifier[] {
  const key = uniqueKey(system)
  const first = before.findIndex((one) => uniqueKey(one.system) === key)
  const spelling = before[first]?.system ?? system
  const others = before.filter((one) => uniqueKey(one.system) !== key)
  const at = first < 0 ? others.length : first
  return [
    ...others.slice(0, at),
    ...values.map((value) => ({ system: spelling, value })),
    ...others.slice(at),
  ]
}
