import type { Fault } from '../../problems.ts'
import { type textFormats, unseenIn } from '../../text/formats.ts'
import type { RowFaultCode } from '../codes.ts'
import type { CellParams, PlannedCell } from '../model.ts'

/** What is wrong with a cell: what the API would say of a member, or what only a file can have. */
export type CellFault =
  | Fault
  | { readonly code: RowFaultCode; readonly detail: string; readonly params?: never }
  | (Fault & { readonly told: CellParams })

type Told = Pick<CellFault, 'code' | 'detail' | 'params'> & { readonly told?: CellParams }

/** How much of a cell that is not as it must be a plan holds, in UTF-16 code units: the file has all of it. */
const mostHeld = 1_000

/** A cell that is not as it must be. @param cell what stands there; undefined: it is not of one cell */
export function faulty(
  column: string,
  cell: string | undefined,
  { code, detail, params, told = toldParams(params, cell) }: Told,
): PlannedCell {
  const to =
    cell !== undefined && cell.length > mostHeld ? `${cell.slice(0, mostHeld).toWellFormed()}…` : cell
  return { column, ...(to !== undefined && { to }), code, detail, ...(told && { params: told }) }
}

function toldParams(params: CellFault['params'], cell: string | undefined): CellParams | undefined {
  if (params === undefined) return undefined
  if ('limit' in params) return { limit: params.limit }
  const isOfText = 'format' in params && cell !== undefined
  const unseen = isOfText ? unseenIn(cell, params.format as keyof typeof textFormats) : undefined
  return unseen === undefined ? undefined : { unseen }
}
