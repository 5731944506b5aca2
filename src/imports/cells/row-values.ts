import type { NewField } from '../columns/new-fields.ts'
import type { PlannedCell } from '../model.ts'
import type { PartialAddress } from './joined-addresses.ts'

/** A value of a column: a text, what a field of the school's own holds, or a list of identifiers; null: nothing. */
export type CellValue = string | number | boolean | readonly string[] | null

/**
 * What a row gives, by the names of columns: `name`, `class_id`, `fields.KEY`, `identifiers.SYSTEM` (a list),
 * `guardian_1_phone`. What is not given stays as it is; null clears. A `class_id` that is a text is the label of a
 * class that the import makes.
 */
export type GivenRow = Readonly<Record<string, CellValue>>

/** A row as it is read by what was answered. */
export interface RowValues {
  readonly values: GivenRow
  /**
   * What holds only where the student has nothing there. `name` is joined in an order that is not the school's.
   * `guardian_1_relation` is what a heading such as "Mother's phone" says. `guardian_1_name` is what was answered for
   * a new guardian whose name the row lacks; null: nobody is made.
   */
  readonly implied?: GivenRow | undefined
  /** Of addresses in several columns, those with blank parts. */
  readonly partial?: Readonly<Record<string, PartialAddress>> | undefined
  /** What the column `id` holds: it must agree with the student whom the row matches. */
  readonly id?: number | undefined
  /** The class that `class_id` tells where `class` names another, and what is wrong then unless the record has one. */
  readonly otherClass?: { readonly id: number; readonly fault: PlannedCell } | undefined
  readonly faults: readonly PlannedCell[]
  /** Why the row is left out. */
  readonly leftOut?: PlannedCell | undefined
}

/** How each row is read once all is answered. */
export interface RowReader {
  /** What a new student needs, and no column of the file gives, nor an answer: names of columns. */
  readonly lacks: readonly string[]
  read(place: number, cells: readonly string[]): RowValues
  /** The fields of the school's own that it makes. */
  readonly newFields: readonly NewField[]
}
