import type { Fault } from '../../problems.ts'
import type { PlannedCell, RowFaultCode } from '../model.ts'

/** What is wrong with a cell: what the API would say of a member, or what only a file can have. */
export type CellFault =
  | Fault
  | { readonly code: RowFaultCode; readonly detail: string; readonly params?: never }

/** A cell that is not as it must be. @param cell what stands there; undefined: it is not of one cell */
export function faulty(
  column: string,
  cell: string | undefined,
  { code, detail, params }: Pick<CellFault, 'code' | 'detail' | 'params'>,
): PlannedCell {
  const limit = params !== undefined && 'limit' in params && { params: { limit: params.limit } }
  return { column, ...(cell !== undefined && { to: cell }), code, detail, ...limit }
}
