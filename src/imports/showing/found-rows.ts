import { sql } from 'kysely'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import { findFields } from '../../fields/queries.ts'
import { searchText } from '../../text/search-words.ts'
import { columnsOfFile } from '../columns/file-columns.ts'
import type { ImportRow } from '../model.ts'
import { inTurns } from '../slices/in-turns.ts'
import { rowsAtOnce, type StagedRow, slicesOf } from '../slices/staged-rows.ts'
import { calledBy } from './called.ts'
import { recordOfRow } from './row-conditions.ts'

/** A longer cell is no number. */
const mostCharacters = 250

/**
 * The places of the rows that a search finds: by how the file calls and numbers the child, or by whom they match. It
 * reads the whole file: nothing of it stands folded in the database.
 * @param patterns texts that all must occur
 */
export async function placesFound(
  db: Db,
  imported: ImportRow,
  patterns: readonly string[],
): Promise<number[]> {
  const { id: importId, kind, settings } = imported
  const { columns } = columnsOfFile(imported, await findFields(db))
  const called = calledBy(columns, settings)
  const number = columns.indexOf('admission_number')
  const found: number[] = []
  for await (const rows of slicesOf(db, importId, rowsAtOnce)) {
    const matched = kind === 'students' ? await namesMatched(db, importId, rows) : new Map<number, string>()
    const isFound = ({ place, cells }: StagedRow) => {
      const numbered = (cells[number] ?? '').slice(0, mostCharacters)
      const text = searchText(called(cells) ?? '', numbered, matched.get(place) ?? '')
      return patterns.every((pattern) => text.includes(pattern))
    }
    const are = await inTurns(rows, isFound)
    found.push(...rows.filter((_, i) => are[i]).map(({ place }) => place))
  }
  return found
}

/** The names and numbers of the students whom some rows match, or have made, by the places of the rows. */
async function namesMatched(
  db: Db,
  importId: number,
  rows: readonly StagedRow[],
): Promise<Map<number, string>> {
  const [first, last] = [rows[0]!.place, rows.at(-1)!.place]
  const query = sql<{ place: number; name: string; number: string }>`
    select import_plan.place, students.name, students.admission_number as number
    from import_plan join students on students.id = ${recordOfRow}
    where import_plan.import_id = ${importId} and import_plan.place between ${first} and ${last}`
  const found = await rowsBeside(db, query)
  return new Map(found.map(({ place, name, number }) => [Number(place), `${name} ${number}`]))
}
