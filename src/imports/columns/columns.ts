import type { Field } from '../../fields/queries.ts'
import { faultOfText } from '../../http/validation.ts'
import { type DetailName, detailNames } from '../../students/details.ts'
import { identifierMembers } from '../../students/list-members.ts'
import type { ImportKind } from '../model.ts'
import { type GuardianPart, guardianOf } from './guardian-columns.ts'
import { reasonsHeading } from './headings.ts'
import { behind, identifiersPrefix } from './prefixes.ts'
import { type TextRule, textRule } from './text-rules.ts'

/** What the columns of a file may be. */
export interface Columns {
  readonly kind: ImportKind
  /** The columns that every school has, in the order of an export, but for guardians and identifiers. */
  readonly plain: readonly string[]
  /** The school's own fields, without the archived ones: `fields.KEY`. */
  readonly fields: readonly Field[]
}

/** What stands in an export, and is not the file's to say. */
const instants: readonly string[] = ['created_at', 'updated_at']

/** The same, and what stands in a file of refused rows. */
export const keptByServer: readonly string[] = [...instants, reasonsHeading]

/** Columns by which an export tells records apart: only headings that are just so mean them. */
const onlyExact: readonly string[] = ['id', 'class_id', ...instants]

/** The columns of a kind of files. */
export function columnsOf(kind: ImportKind, fields: readonly Field[]): Columns {
  if (kind === 'classes') return { kind, plain: ['label'], fields: [] }
  const plain = ['id', 'name', 'admission_number', 'class_id', 'class', ...detailNames, ...instants]
  return { kind, plain, fields: fields.filter(({ archived }) => !archived) }
}

/** Whether several columns of a file may give it: street, postcode and town, or the year and the group of a class. */
export function isJoined(column: string): boolean {
  return column === 'class' || isAddress(column)
}

/** Whether it is an address. */
export function isAddress(column: string): boolean {
  return /^(guardian_\d+_)?address$/.test(column)
}

/** Whether a column's name can only be written as it is. */
export function isOnlyExact(name: string): boolean {
  return onlyExact.includes(name)
}

const systemRule: TextRule = textRule(identifierMembers.system)

/** The system of identifiers that a column holds; undefined: it holds none. */
export function systemOf(name: string): string | undefined {
  const system = behind(identifiersPrefix, name)
  return system !== undefined && faultOfText(system, systemRule) === undefined ? system : undefined
}

/** The field that a column holds; undefined: it holds none that is there. */
export function fieldOf({ fields }: Columns, name: string): Field | undefined {
  return fields.find(({ key }) => name === `fields.${key}`)
}

/** Whether a file may have such a column. */
export function isColumn(columns: Columns, name: string): boolean {
  if (columns.plain.includes(name) || fieldOf(columns, name) !== undefined) return true
  return columns.kind === 'students' && (systemOf(name) ?? guardianOf(name)) !== undefined
}

const calledInWords: Readonly<Record<string, string> & Record<DetailName, string>> = {
  id: 'the id that this server gave',
  name: 'the full name',
  admission_number: 'the admission number',
  class_id: "the class's id on this server",
  class: 'the class',
  label: "the class's label",
  given_name: 'the given name',
  family_name: 'the family name',
  preferred_name: 'the name that the student is called by',
  former_names: 'former names',
  date_of_birth: 'the date of birth',
  gender: 'the gender',
  email: "the student's e-mail address",
  address: "the student's address",
  notes: 'notes',
  created_at: 'when the record was made',
  updated_at: 'when the record was changed last',
  problem: 'what is wrong with a row',
}

const partsInWords: Readonly<Record<GuardianPart, string>> = {
  name: 'name',
  relation: 'relation to the student',
  phone: 'phone number',
  email: 'e-mail address',
  address: 'address',
  note: 'note',
}

/** What a column holds, in words. */
export function inWords(columns: Columns, name: string): string {
  const field = fieldOf(columns, name)
  if (field !== undefined) return `the field "${field.label}"`
  const guardian = guardianOf(name)
  if (guardian !== undefined) return `guardian ${guardian.number}'s ${partsInWords[guardian.part]}`
  const system = systemOf(name)
  return system === undefined ? (calledInWords[name] ?? name) : `an identifier of the system "${system}"`
}

/** How many fields of the school's own a sentence lists. */
const mostFieldsListed = 10

/** The columns that every file may have, as a sentence lists them. */
export function acceptedNames({ kind, plain, fields }: Columns): string {
  const taken = plain.filter((name) => !keptByServer.includes(name))
  if (kind === 'classes') return taken.join(', ')
  const own = fields.length > mostFieldsListed ? ['fields.KEY'] : fields.map(({ key }) => `fields.${key}`)
  return [...taken, ...own, 'identifiers.SYSTEM', 'guardian_1_name … guardian_10_note'].join(', ')
}
