import type { Scope } from '../../access/scope.ts'
import type { PortableRead } from '../../db/portable-reader.ts'
import type { ListColumn } from './columns.ts'
import type { Condition } from './filter.ts'

/* A list that is too long for a page is read slice by slice, each in a snapshot of its own. */

/** The next students after an id, in the order of ids; or just these, in this order. */
export type SlicePart =
  | { readonly after: number; readonly limit: number }
  | { readonly ids: readonly number[] }

/** Students as a JSON array of arrays, each the values of the columns; and the highest id among them; null: there are none. */
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
  readonly columns: readonly ListColumn[]
}
