import type { Scope } from '../../access/scope.ts'
import type { PortableRead } from '../../db/portable-reader.ts'
import { within } from './asked.ts'
import type { ListColumn } from './columns.ts'
import type { Condition, StudentFilter } from './filter.ts'

/* A list that is too long for a page is read slice by slice, each in a snapshot of its own. */

/** Which students a slice may hold. */
export type SliceFilter = Pick<StudentFilter, 'classIds' | 'conditions'>

/** The next students after an id, in the order of ids; or just these, in this order. */
export type SlicePart =
  | { readonly after: number; readonly limit: number }
  | { readonly ids: readonly number[] }

/** Students as a JSON array, and the highest id among them; null: there are none. */
export interface SliceRow {
  readonly json: string
  readonly last: number | null
}

/** A slice is made in a thread, where that can be. It gives one row. */
export type Slice = PortableRead<SliceRow>

/** A slice, as engines are asked for it. */
export interface AskedSlice {
  /** Never none. */
  readonly classes: Scope
  readonly conditions: readonly Condition[]
  readonly part: SlicePart
  /** With the id as `sliceId`. */
  readonly columns: readonly ListColumn[]
}

/** The column of which `last` is the highest. */
export const sliceId = 'slice_id'

export const emptySlice: Slice = { rows: [{ json: '[]', last: null }] }

/** What engines are asked for; undefined: nobody can be found. */
export function sliceOf(
  scope: Scope,
  { classIds, conditions = [] }: SliceFilter,
  part: SlicePart,
  columns: readonly ListColumn[],
): AskedSlice | undefined {
  const classes = within(scope, classIds)
  if (classes.length === 0) return undefined
  const id: ListColumn = { name: sliceId, source: 'students.id', holds: 'value' }
  return { classes, conditions, part, columns: [...columns, id] }
}
