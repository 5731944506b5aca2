import { includesScope, isInScope, joinScopes, type Scope } from '../access/scope.ts'
import type { Field } from '../fields/queries.ts'
import type { NameOrder } from '../school/name-order.ts'
import type { FileFacts, ImportRow } from './model.ts'
import type { Basis } from './planning/basis.ts'

/** A class as an import needs it. */
export interface KnownClass {
  readonly id: number
  readonly label: string
  readonly archived: boolean
  /** Whether the account may give it to students by an import; else it only sees it. */
  readonly usable: boolean
}

/** The school, as far as an account may use it by an import. */
export interface UsableSchool {
  /** The school's own fields, the archived ones too. */
  readonly fields: readonly Field[]
  /** The classes that the account sees, the archived ones too. */
  readonly classes: readonly KnownClass[]
  /** In which order the school joins names. */
  readonly nameOrder: NameOrder
  /** Whether there are students whom the account sees. */
  readonly seesStudents: boolean
  /** A class that is to be made is in no scope but that of all: the account must import into all. */
  readonly mayCreateClasses: boolean
  readonly mayCreateFields: boolean
}

/** All by which the rows of a file are read: what is known of the file, the school for an account, and the answers. */
export interface ReadingRules
  extends Pick<ImportRow, 'kind' | 'mode' | 'settings'>,
    Pick<FileFacts, 'header' | 'sheets'>,
    Partial<Pick<FileFacts, 'numeric' | 'mixed'>>,
    UsableSchool {
  /** The year that it is, by UTC. */
  readonly thisYear: number
  /** An admission number that is free. */
  readonly nextNumber: string
}

/** Whether a column of a spreadsheet holds numbers alone, but for empty cells. @param at its place, from 0 */
export function areNumbersAt(
  { numeric, mixed }: Pick<ReadingRules, 'numeric' | 'mixed'>,
  at: number,
): boolean {
  return numeric?.includes(at) === true && mixed?.includes(at) === false
}

/** Those that decide what each column of a file means. */
export type ColumnRules = Pick<ReadingRules, 'kind' | 'header' | 'settings' | 'fields' | 'mayCreateFields'>

/** The school, by what a plan for the account rests on, so that both tell of one moment. */
export function usableSchool({ authority, fields, nameOrder, classes: all }: Basis): UsableSchool {
  const seen: Scope = authority.scopeOf('students.view') ?? []
  const used: Scope = joinScopes(
    authority.scopeOf('students.create'),
    authority.scopeOf('students.update') ?? [],
  )
  const shown = joinScopes(authority.scopeOf('classes.view'), joinScopes(seen, used))
  const classes = [...all.values()]
  return {
    fields,
    classes: classes
      .filter(({ id }) => isInScope(shown, id))
      .map(({ id, label, archived }) => ({ id, label, archived, usable: isInScope(used, id) })),
    nameOrder,
    seesStudents: classes.some(({ id, students }) => students > 0 && isInScope(seen, id)),
    mayCreateClasses: used === 'all' && includesScope(authority.scopeOf('classes.manage'), 'all'),
    mayCreateFields: includesScope(authority.scopeOf('fields.manage'), 'all'),
  }
}
