import type { Db } from '../../db/tables.ts'
import { faultsProblem } from '../../http/validation.ts'
import type { FieldFault } from '../../problems.ts'
import { type Decision, type FileFacts, type ImportRow, placeOf } from '../model.ts'

/** What a person decides on a row. */
export interface RowDecision {
  readonly row: number
  /** The name of its sheet; a file with one sheet needs none. */
  readonly sheet?: string | undefined
  /** null: what was decided is taken back. */
  readonly decision: Decision | null
  readonly id?: number | undefined
}

/** Keeps what people decide on rows, in place of what they decided before. @throws Problem validation_failed */
export async function putDecisions(
  db: Db,
  { id, facts }: Pick<ImportRow, 'id' | 'facts'>,
  decisions: readonly RowDecision[],
): Promise<void> {
  if (decisions.length === 0) return
  const placed = decisions.map((one) => ({ ...one, place: placeIn(facts, one) }))
  const places = placed.flatMap(({ place }) => place ?? [])
  const there = await db
    .selectFrom('import_rows')
    .select('place')
    .where('import_id', '=', id)
    .where('place', 'in', [...places, -1])
    .execute()
  const known = new Set(there.map(({ place }) => place))
  const faults = placed.flatMap((one, i) => faultOf(one, one.place !== undefined && known.has(one.place), i))
  if (faults.length > 0) throw faultsProblem(faults)
  await db.deleteFrom('import_decisions').where('import_id', '=', id).where('place', 'in', places).execute()
  const last = new Map(placed.map((one) => [one.place!, one]))
  const made = [...last].flatMap(([place, { decision, id: record_id = null }]) =>
    decision === null ? [] : [{ import_id: id, place, decision, record_id }],
  )
  if (made.length > 0) await db.insertInto('import_decisions').values(made).execute()
}

/** Where a row of a file stands, as `placeOf` has it. @returns undefined where the file has no such sheet */
export function placeIn(
  facts: FileFacts | null,
  { row, sheet }: Pick<RowDecision, 'row' | 'sheet'>,
): number | undefined {
  const sheets = facts?.sheets ?? []
  const imported = sheets.flatMap(({ header_row }, i) => (header_row === null ? [] : [i]))
  const at = sheet === undefined ? imported[0] : sheets.findIndex(({ name }) => name === sheet)
  if (at === undefined || at < 0 || (sheet === undefined && imported.length > 1)) return undefined
  return placeOf(at, row)
}

function faultOf({ decision, id }: RowDecision, isThere: boolean, index: number): FieldFault[] {
  const pointer = `/decisions/${index}`
  if (!isThere)
    return [{ pointer: `${pointer}/row`, code: 'invalid', detail: 'is no row of the file below its header' }]
  if (decision === 'same' && id === undefined)
    return [{ pointer: `${pointer}/id`, code: 'required', detail: 'is required with same' }]
  if (decision !== 'same' && id !== undefined)
    return [{ pointer: `${pointer}/id`, code: 'invalid', detail: 'goes with same alone' }]
  return []
}
