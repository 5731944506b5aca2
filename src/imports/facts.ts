import type { Field } from '../fields/queries.ts'
import type { NameOrder } from '../school/name-order.ts'
import type { FileFacts, ImportRow } from './model.ts'

/** A class as an import needs it. */
export interface KnownClass {
  readonly id: number
  readonly label: string
  readonly archived: boolean
  /** Whether the account may give it to students by an import; else it only sees it. */
  readonly usable: boolean
}

/** All by which the rows of a file are read: facts of the file, the school and the account, and the answers. */
export interface Facts
  extends Pick<ImportRow, 'kind' | 'mode' | 'settings'>,
    Pick<FileFacts, 'header' | 'sheets'>,
    Partial<Pick<FileFacts, 'numeric' | 'mixed'>> {
  /** The school's own fields, the archived ones too. */
  readonly fields: readonly Field[]
  /** The classes that the account sees, the archived ones too. */
  readonly classes: readonly KnownClass[]
  /** The year that it is, by UTC. */
  readonly thisYear: number
  /** In which order the school joins names. */
  readonly nameOrder: NameOrder
  /** An admission number that is free. */
  readonly nextNumber: string
  /** Whether there are students whom the account sees. */
  readonly seesStudents: boolean
  /** A class that is to be made is in no scope but that of all: the account must import into all. */
  readonly mayCreateClasses: boolean
  readonly mayCreateFields: boolean
}

/** Whether a column of a spreadsheet holds numbers alone, but for empty cells. @param at its place, from 0 */
export function areNumbersAt({ numeric, mixed }: Pick<Facts, 'numeric' | 'mixed'>, at: number): boolean {
  return numeric?.includes(at) === true && mixed?.includes(at) === false
}

/** The facts that decide what each column of a file means. */
export type ColumnFacts = Pick<Facts, 'kind' | 'header' | 'settings' | 'fields' | 'mayCreateFields'>
