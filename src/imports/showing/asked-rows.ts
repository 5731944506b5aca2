import type { Db } from '../../db/tables.ts'
import { findFields } from '../../fields/queries.ts'
import type { Static } from '../../http/json-schema.ts'
import { allOrFaults, faultsProblem } from '../../http/validation.ts'
import type { Fault, FieldFault } from '../../problems.ts'
import { patternsOf } from '../../text/search-words.ts'
import { acceptedNames, columnsOf, isColumn } from '../columns/columns.ts'
import { plannedGuardianOf } from '../columns/guardian-columns.ts'
import type { ImportKind, ImportRow } from '../model.ts'
import { placeIn, sheetFault } from '../row-places.ts'
import type { listImportRows } from '../schema.ts'

/** What chooses among the rows of a file, and not among students whom it lacks. */
const ofRowsAlone = [
  ...(['outdated', 'kept', 'changed_since', 'decided', 'group'] as const),
  ...(['search', 'column', 'like_row', 'like_sheet'] as const),
]

/** Which rows of a plan are asked for; all conditions hold together. */
export type RowsAsked = Static<typeof listImportRows.querystring>

/** Looks whether an import can have what is asked for. @throws Problem validation_failed */
export async function checkAskedRows(db: Db, imported: ImportRow, asked: RowsAsked): Promise<void> {
  const { outcome, column, search = '', like_row: row, like_sheet: sheet } = asked
  const wrong = ofRowsAlone.filter((name) => asked[name] !== undefined && asked[name] !== 'false')
  if (outcome === 'missing' && wrong.length > 0)
    throw faultsProblem(wrong.map((name) => ({ pointer: `/${name}`, ...notOfMissing })))
  const faults = [
    column === undefined ? undefined : await columnFault(db, imported.kind, column),
    await rowFault(db, imported, row, sheet),
  ].flatMap((fault) => fault ?? [])
  allOrFaults(
    () => patternsOf(search),
    () => requireNone(faults),
  )
}

/** @throws Problem validation_failed */
function requireNone(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw faultsProblem(faults)
}

const notOfMissing = invalid('does not go with outcome=missing: the file has no rows of them')

/** Fields come and go, and plans that tell of them stay. */
async function columnFault(db: Db, kind: ImportKind, column: string): Promise<FieldFault | undefined> {
  const columns = columnsOf(kind, await findFields(db))
  const isField = kind === 'students' && /^fields\.[a-z][a-z0-9_]*$/.test(column)
  const isGuardian = kind === 'students' && plannedGuardianOf(column) !== undefined
  if (column === 'row' || isField || isGuardian || isColumn(columns, column)) return undefined
  return { pointer: '/column', ...invalid(`must be row, or one of ${acceptedNames(columns)}`) }
}

/**
 * Whether an import has a whole plan to show. What stands there else is of one before, or of somebody else, or is being
 * erased.
 */
export function hasPlan({ counts, state, emptied_at: emptiedAt }: ImportRow): boolean {
  return counts !== null && state !== 'cancelled' && emptiedAt === null
}

/** The place of no row. */
export const nowhere = -1

/** As long as there is no plan, or no more, no row is there and none is missing. */
async function rowFault(
  db: Db,
  imported: ImportRow,
  row: number | undefined,
  sheet: string | undefined,
): Promise<FieldFault | undefined> {
  if (row === undefined) {
    const fault = { pointer: '/like_row', code: 'required', detail: 'is required with like_sheet' } as const
    return sheet === undefined ? undefined : fault
  }
  const { id, facts } = imported
  if (facts === null || !hasPlan(imported)) return undefined
  const ofSheet = sheetFault(facts, sheet)
  if (ofSheet !== undefined) return { pointer: '/like_sheet', ...ofSheet }
  const place = placeIn(facts, { row, sheet }) ?? nowhere
  const found = await db
    .selectFrom('import_plan')
    .select('place')
    .where('import_id', '=', id)
    .where('place', '=', place)
    .executeTakeFirst()
  if (found !== undefined) return undefined
  const detail = 'is no row of the file below its header that holds anything'
  return { pointer: '/like_row', code: 'unknown_row', detail }
}

function invalid(detail: string): Fault {
  return { code: 'invalid', detail }
}
