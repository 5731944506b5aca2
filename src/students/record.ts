import type { Instant } from '../db/tables.ts'
import type { Definitions } from '../fields/definitions.ts'
import { shownValues } from '../fields/values.ts'
import { entityTag } from '../http/conditions.ts'
import type { Static } from '../http/json-schema.ts'
import { asJsonText } from '../http/json-text.ts'
import { invalidField } from '../problems.ts'
import { type DetailName, detailNames, details, sensitiveMembers } from './details.ts'
import { type Identifier, shownIdentifiers } from './identifiers.ts'
import type { Guardians } from './list-members.ts'
import type { GivenFields, OwnFieldsRow } from './own-fields.ts'
import type { ListedStudent } from './queries.ts'
import type { Student } from './schema.ts'

/** Whom the school calls. */
export type Guardian = Readonly<NonNullable<Static<typeof Guardians>>[number]>

/** A guardian as it is given: what is left out is null. */
export type GivenGuardian = Pick<Guardian, 'name'> & Partial<Guardian>

/** What may be given of a student besides what it must have; null: there is none. */
export interface GivenDetails extends Readonly<Partial<Record<DetailName, string | null>>> {
  readonly guardians?: readonly GivenGuardian[] | null
  readonly identifiers?: readonly Identifier[] | null
  /** Of the school's own fields, by key. */
  readonly fields?: GivenFields
}

/** A student with all that is stored of it, its class's label and both versions. */
export interface StudentRow extends ListedStudent, OwnFieldsRow, Readonly<Record<DetailName, string | null>> {
  /** 1 where `name` is joined from the given and the family name. */
  readonly name_joined: number
  /** JSON, as in the table. */
  readonly identifiers: string | null
  /** JSON, as in the table. */
  readonly guardians: string | null
  readonly version: number
  readonly updated_at: Instant
  readonly class_version: number
  readonly class_updated_at: Instant
}

/** A student as an answer shows it; what the caller may not see is left out. Its own fields: see `asJsonText`. */
export type ShownStudent = Static<typeof Student>

/** What an answer shows of a student, and the entity tag of that. */
export interface StudentView {
  readonly student: ShownStudent
  readonly tag: string
}

/** What is shown of own fields, in JSON, where there are none. */
const noFields = '{}'

/** The entity tag of what is shown: equal for all who see as much. */
export function tagOf(row: StudentRow, definitions: Definitions, withSensitive: boolean): string {
  return tagWith(row, fieldsOf(row, definitions, withSensitive), definitions, withSensitive)
}

/** Where no own field is shown, what they are is no part of the tag: it would tell of hidden values. */
function tagWith(row: StudentRow, fields: string, definitions: Definitions, withSensitive: boolean): string {
  const ofClass = { version: row.class_version, updated_at: row.class_updated_at }
  const versions = fields === noFields ? [row, ofClass] : [row, ofClass, definitions]
  return entityTag(versions, withSensitive ? 'sensitive' : '')
}

function fieldsOf({ own_fields }: StudentRow, definitions: Definitions, withSensitive: boolean): string {
  return own_fields === null ? noFields : shownValues(definitions, own_fields, withSensitive)
}

const openNames = detailNames.filter((name) => !details[name].isSensitive)

/** What is shown to a caller who may see the sensitive members, or may not. */
export function viewOf(row: StudentRow, definitions: Definitions, withSensitive: boolean): StudentView {
  const { id, name, admission_number, class_id } = row
  const fields = fieldsOf(row, definitions, withSensitive)
  const student: ShownStudent = {
    id,
    name,
    admission_number,
    class_id,
    class: row.class,
    identifiers: row.identifiers === null ? null : shownIdentifiers(row.identifiers),
    fields: asJsonText(fields),
  }
  for (const name of withSensitive ? detailNames : openNames) student[name] = row[name]
  if (withSensitive) student.guardians = row.guardians === null ? null : JSON.parse(row.guardians)
  return { student, tag: tagWith(row, fields, definitions, withSensitive) }
}

/** Whether anything sensitive is given, if only to take it away. */
export function givesSensitive(given: GivenDetails): boolean {
  return sensitiveMembers.some((member) => given[member] !== undefined)
}

/**
 * That nobody is born after today; by UTC, where the date of a place further east may be a day ahead.
 * @throws Problem validation_failed
 */
export function checkDateOfBirth({ date_of_birth: date }: GivenDetails, now: Date): void {
  if (typeof date !== 'string' || date <= now.toISOString().slice(0, 10)) return
  throw invalidField('/date_of_birth', { code: 'in_future', detail: 'must not be after today (UTC)' })
}

/** Guardians as the table holds them. An empty list is none. */
export function storedGuardians(guardians: GivenDetails['guardians']): string | null {
  if (!guardians?.length) return null
  const nothing = { relation: null, phone: null, email: null, address: null, note: null }
  return JSON.stringify(guardians.map(({ name, ...given }): Guardian => ({ name, ...nothing, ...given })))
}
