import { type DetailName, detailNames } from '../details.ts'
import type { BoundValues } from './asked.ts'

/** The fields of a student that may be empty: then they are null. To add one: its name here. */
export const optionalFields = [...detailNames, 'identifiers', 'guardians'] as const

export type OptionalField = (typeof optionalFields)[number]

/** What is asked of a field. Values are compared byte by byte. */
export type Condition =
  | { readonly field: OptionalField; readonly test: 'is null' | 'is not null' }
  | { readonly field: DetailName; readonly test: '=' | '>=' | '<='; readonly value: string }
  /** Whether a guardian can be called: has a phone number with a digit in it. */
  | { readonly field: 'guardians'; readonly test: 'has phone' | 'has no phone' }
  /** Of a field of the school's own, by its key; `has` by its id too. */
  | { readonly field: string; readonly key: string; readonly test: 'is null' | 'is not null' }
  | {
      readonly field: string
      readonly key: string
      readonly test: 'has'
      readonly id: number
      readonly value: string
    }

/** What a student must be, in SQL that both engines run. */
export function conditionsOf(conditions: readonly Condition[], values: BoundValues): string[] {
  return conditions.map((condition) => {
    const { field, test } = condition
    if (test === 'has phone' || test === 'has no phone') {
      const phone = 'select 1 from guardian_texts where student_id = students.id and digits is not null'
      return `${test === 'has phone' ? '' : 'not '}exists (${phone})`
    }
    if (test === 'has') {
      const { id, value } = condition
      return `students.id in (select student_id from student_field_values
        where field_id = ${values.bind(id)} and value_key${values.bytewise} = ${values.bind(value)})`
    }
    if ('key' in condition) return `${values.ownField(condition.key)} ${test}`
    if (!('value' in condition)) return `students.${field} ${test}`
    return `students.${field}${values.bytewise} ${test} ${values.bind(condition.value)}`
  })
}
