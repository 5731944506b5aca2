import type { Fault } from '../../problems.ts'
import type { PlannedCell } from '../model.ts'

/** A cell that is not as it must be. @param cell what stands there; undefined: it is not of one cell */
export function faulty(
  column: string,
  cell: string | undefined,
  { code, detail, params }: Pick<Fault, 'code' | 'detail' | 'params'>,
): PlannedCell {
  const limit = params !== undefined && 'limit' in params && { params: { limit: params.limit } }
  return { column, ...(cell !== undefined && { to: cell }), code, detail, ...limit }
}
