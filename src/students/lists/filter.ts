import { type DetailName, detailNames } from '../details.ts'
import type { BoundValues } from './asked.ts'

/** The fields of a student that may be empty: then they are null. To add one: its name here. */
export const optionalFields = [...detailNames, 'identifiers', 'guardians'] as const

export type OptionalField = (typeof optionalFields)[number]

/** What is asked of a field. Values are compared byte by byte. */
export type Condition =
  | { readonly field: OptionalField; readonly test: 'is null' | 'is not null' }
  | { readonly field: DetailName; readonly test: '=' | '>=' | '<='; readonly value: string }

/** Which students a list is of. */
export interface StudentFilter {
  /** Words that all must be found; without them, no search. */
  readonly search?: string | undefined
  /** The student is in one of these classes; without them, in any. */
  readonly classIds?: readonly number[] | undefined
  /** What one of the guardians is found by; see `guardianQuery`. */
  readonly guardian?: string | undefined
  /** All of these hold. */
  readonly conditions?: readonly Condition[] | undefined
}

/** What a student must be, in SQL that both engines run. */
export function conditionsOf(conditions: readonly Condition[], values: BoundValues): string[] {
  return conditions.map((condition) => {
    const { field, test } = condition
    if (!('value' in condition)) return `students.${field} ${test}`
    return `students.${field}${values.bytewise} ${test} ${values.bind(condition.value)}`
  })
}
