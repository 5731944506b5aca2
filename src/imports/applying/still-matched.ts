import { isOneOf } from '../../db/is-one-of.ts'
import type { Db } from '../../db/tables.ts'
import { findFields } from '../../fields/queries.ts'
import type { StudentRow } from '../../students/record.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { readerOf } from '../cells/cell-readers.ts'
import { partsOf, valueIn } from '../cells/flat-student.ts'
import { clearMark } from '../cells/row-reader.ts'
import { columnsOfFile } from '../columns/file-columns.ts'
import type { ImportRow } from '../model.ts'
import { identifierKeys, matchOf } from '../planning/matching.ts'
import { type DueRow, ends } from './due-rows.ts'

/**
 * Checks of each row whose student changed since the plan that the student still has the number, or all identifiers, by
 * which the row matched. Where the row itself changes these, they are compared with the other cells that it changes.
 * @throws ImportEnds with the reason `match_lost`
 */
export async function checkStillMatched(
  db: Db,
  imported: ImportRow,
  rows: readonly DueRow[],
  students: ReadonlyMap<number, StudentRow>,
): Promise<void> {
  const match = matchOf(imported.settings)
  const changed = rows.flatMap((row) => {
    const student = students.get(row.record_id!)
    const isAsPlanned = student === undefined || student.version === row.record_version
    return isAsPlanned || match in row.changes ? [] : { row, student }
  })
  if (changed.length === 0) return
  const isNumber = match === 'admission_number'
  const places = changed.map(({ row }) => row.place)
  const ofFile = isNumber ? undefined : await identifiersOf(db, imported, match, places)
  for (const { row, student } of changed) {
    const given = ofFile?.get(row.place) ?? [row.number_key].filter((key) => key !== null)
    const held = isNumber
      ? [uniqueKey(student.admission_number)]
      : identifierKeys({ [match]: valueIn(partsOf(student), match) }, match)
    if (!given.every((key) => held.includes(key))) throw ends(row, 'match_lost', match)
  }
}

/** The keys of the identifiers that rows of the file give in a column, by place. A plan has only those that change. */
async function identifiersOf(
  db: Db,
  imported: ImportRow,
  column: string,
  places: readonly number[],
): Promise<Map<number, string[]>> {
  const at = columnsOfFile(imported, await findFields(db)).columns.indexOf(column)
  const read = readerOf(column, undefined)!
  const rows = await db
    .selectFrom('import_rows')
    .select(['place', 'cells'])
    .where('import_id', '=', imported.id)
    .where(isOneOf(db, 'place', places))
    .execute()
  const keysIn = (cell: string) => {
    if (cell.trim() === '' || cell.trim() === clearMark(imported)) return []
    const value = read(cell)
    return Array.isArray(value) ? identifierKeys({ [column]: value }, column) : []
  }
  return new Map(rows.map(({ place, cells }) => [place, keysIn(JSON.parse(cells)[at] ?? '')]))
}
