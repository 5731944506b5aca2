import { keyOf } from '../../fields/keys.ts'
import { type Kind, kindsWithoutOptions, maxFields, maxLabelLength } from '../../fields/kinds.ts'
import type { Field } from '../../fields/queries.ts'
import { uniqueKey } from '../../text/normalise.ts'
import type { Answer } from '../model.ts'
import type { ColumnRules } from '../reading-rules.ts'
import { readText } from './text-rules.ts'

/** What an answer says of a field that an import makes of a column. */
interface Traits {
  /** Absent: `text`. */
  readonly kind?: Kind
  /** Absent: all see its values who see the student. */
  readonly sensitive?: boolean
}

/** A field that an import makes of a column. */
export interface NewField extends Traits {
  readonly key: string
  readonly label: string
}

const form = new RegExp(`^new_field(?::(${kindsWithoutOptions.join('|')}))?(:sensitive)?$`)

/** What an answer says of the field that it makes, such as `new_field:date:sensitive`; undefined: it makes none. */
export function traitsIn(answer: Answer | undefined): Traits | undefined {
  const found = form.exec(String(answer))
  if (found === null) return undefined
  const [, kind, sensitive] = found
  return {
    ...(kind !== undefined && kind !== 'text' && { kind: kind as Kind }),
    ...(sensitive !== undefined && { sensitive: true }),
  }
}

/**
 * Which fields become of the columns that are answered `new_field`, by heading. Once the field is there it is found by
 * its label, and is as it is there; but where it is to be sensitive and is not, the column is none. A heading that can be
 * no label of a field has none.
 * @param headings as questions name them
 */
export function newFieldsOf(
  { settings, fields, mayCreateFields }: Pick<ColumnRules, 'settings' | 'fields' | 'mayCreateFields'>,
  headings: readonly string[],
): ReadonlyMap<string, NewField & { readonly isThere: boolean }> {
  const made = new Map<string, NewField & { readonly isThere: boolean }>()
  const taken = fields.map(({ key }) => key)
  for (const heading of headings) {
    const traits = traitsIn(settings[`column.${heading}`])
    if (traits === undefined) continue
    const field = fieldCalled({ fields }, heading)
    if (field !== undefined) {
      if (!field.archived && !isLessThan(traits, field))
        made.set(heading, { key: field.key, label: field.label, isThere: true })
      continue
    }
    if (!mayCreateFields || taken.length >= maxFields || !isLabel(heading)) continue
    const key = keyOf(heading, taken)
    taken.push(key)
    made.set(heading, { key, label: heading, ...traits, isThere: false })
  }
  return made
}

/** Whether more people see a field than an answer says. */
const isLessThan = ({ sensitive = false }: Traits, field: Field) => sensitive && !field.sensitive

/** Whether a column was answered to be a sensitive field, and one that is not has its label. */
export function isOpenByNow(
  { settings, fields }: Pick<ColumnRules, 'settings' | 'fields'>,
  heading: string,
): boolean {
  const traits = traitsIn(settings[`column.${heading}`])
  const field = fieldCalled({ fields }, heading)
  return traits !== undefined && field?.archived === false && isLessThan(traits, field)
}

type UsableFields = Pick<ColumnRules, 'fields' | 'mayCreateFields'>

/** Whether a field can be made of a column, besides those that other columns become. */
export function canBeField(rules: UsableFields, heading: string, others: number): boolean {
  return fieldCalled(rules, heading) === undefined && whyNoField(rules, heading, others) === undefined
}

function fieldCalled({ fields }: Pick<ColumnRules, 'fields'>, heading: string): Field | undefined {
  return fields.find(({ label }) => uniqueKey(label) === uniqueKey(heading))
}

/**
 * Why a column becomes no field, in words; undefined: it does, or it is one already.
 * @param others how many fields other columns become
 */
export function whyNoField(rules: UsableFields, heading: string, others: number): string | undefined {
  const there = fieldCalled(rules, heading)
  if (there !== undefined) return there.archived ? 'a field that is archived has this label' : undefined
  if (!rules.mayCreateFields) return 'that needs the permission fields.manage for all classes'
  if (rules.fields.length + others >= maxFields)
    return `a school has at most ${maxFields} fields, those of other columns counted`
  return isLabel(heading) ? undefined : 'no field can have this label'
}

function isLabel(heading: string): boolean {
  return readText({ format: 'field-label', maxLength: maxLabelLength }, heading) === heading
}

/** A field that is to be made, as a record of it will be. */
export function fieldToBe({ key, label, kind = 'text', sensitive = false }: NewField): Field {
  return {
    ...{ id: 0, key, label, kind, sensitive, options: null, position: 0, archived: false },
    ...{ version: 1, updated_at: '' },
  }
}
