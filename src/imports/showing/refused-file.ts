import { sql } from 'kysely'
import type { Authority } from '../../access/authority.ts'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import { rowAt } from '../../events/import-note.ts'
import { findFields } from '../../fields/queries.ts'
import { Problem } from '../../problems.ts'
import { delimiters } from '../../sheets/csv.ts'
import { openSheet, type Row, type SheetFormat, type SheetPiece } from '../../sheets/sheet.ts'
import { columnsOfFile, type FileColumns } from '../columns/file-columns.ts'
import { hasReasons, reasonsHeading } from '../columns/headings.ts'
import { fieldToBe } from '../columns/new-fields.ts'
import type { ImportRow, PlannedCell, ReturnedOutcome } from '../model.ts'
import { inTurns } from '../slices/in-turns.ts'
import { wrongState } from '../states.ts'
import { hasPlan } from './asked-rows.ts'
import { planFor, type ShownPlan } from './narrowed.ts'
import { plainWords, type RefusedLanguage, type RefusedWords, wordsIn } from './refused-words.ts'
import { type RowSight, sightFor } from './row-sight.ts'

/** How many rows are written at once. */
const sliceSize = 50

/** What of an import its file of refused rows holds, or of those left out. */
interface RefusedAsked {
  /** In which it says what is wrong; none: in English for programs. */
  readonly language: RefusedLanguage | undefined
  /** Which rows. */
  readonly outcomes: readonly ReturnedOutcome[]
  /** What its reader may do by now, and the import; asked for each slice. @throws Problem where they may not read it any more */
  readonly now: () => Promise<{ readonly authority: Authority; readonly imported: ImportRow }>
}

/**
 * The rows that are refused or left out, to be corrected and imported. They come as the file has them: UTF-8 with BOM
 * and the file's own delimiter, or XLSX.
 * @throws Problem import_state where nothing is planned, it was cancelled, or all is erased
 */
export async function refusedFile(
  db: Db,
  imported: ImportRow,
  { language, ...asked }: RefusedAsked,
): Promise<{ readonly format: SheetFormat; readonly content: AsyncGenerator<SheetPiece> }> {
  const format = formatOf(imported)
  const fields = await findFields(db)
  const columns = columnsOfFile(imported, fields)
  const made = (imported.makes?.fields ?? []).map(fieldToBe)
  const words = language === undefined ? plainWords : await wordsIn(language, columns, [...fields, ...made])
  return { format, content: contentOf(db, { before: imported, format, words, ...asked, ...columns }) }
}

function formatOf(imported: ImportRow): SheetFormat {
  const { facts, file_format: type } = imported
  if (facts === null || !hasPlan(imported)) throw wrongState(imported, 'asked for its refused rows')
  if (type === 'xlsx') return { type }
  const delimiter = delimiters.find((one) => one === facts.delimiter) ?? ','
  return { type: 'csv', delimiter, bom: true }
}

interface Content extends FileColumns, Omit<RefusedAsked, 'language'> {
  readonly before: ImportRow
  readonly format: SheetFormat
  readonly words: RefusedWords
}

/**
 * The rows in the file's own columns, with a column `problem` in front, in place of the one that the file has. Where the
 * names of the sheets are the classes, a column `class` has them. Cells that the reader may not see are empty. What
 * stands beyond the headings stays there, so that the row is refused again until it is corrected.
 * @throws Problem import_state where the plan is another by now: its rows would be lacking without a word
 */
async function* contentOf(
  db: Db,
  { before, format, words, outcomes, headings, columns, now }: Content,
): AsyncGenerator<SheetPiece> {
  const samePlan = async () => {
    const found = await now()
    if (isOtherPlan(before, found.imported)) throw changedMeanwhile()
    return found
  }
  const isClassBySheet =
    before.settings.class_id === 'sheet' && !columns.includes('class') && !columns.includes('class_id')
  const added = isClassBySheet ? [reasonsHeading, 'class'] : [reasonsHeading]
  const own = hasReasons(headings) ? 1 : 0 // from here on the columns are the file's own
  const header = [...added, ...headings.slice(own)]
  const sheet = await openSheet(format, 'refused', header.length)
  yield await sheet.add([header])
  for (let last = -1; ; ) {
    const { authority, imported } = await samePlan()
    const sightOf = await sightFor(db, authority, imported)
    const rows = await returnedRows(db, imported.id, await planFor(db, imported, authority), outcomes, last)
    if (rows.length === 0) break
    yield await sheet.add(
      await inTurns(rows, (row): Row => {
        if (!row.is_told) return [words.hiddenRow, ...header.slice(1).map(() => '')]
        const sight = sightOf(row)
        const cells = JSON.parse(row.cells) as string[]
        const shown = headings.map((_, i) => {
          const column = columns[i]
          const isSeen = column === undefined ? sight.seesAll : sight.sees(column)
          return isSeen ? (cells[i] ?? '') : ''
        })
        const beyond = sight.seesAll ? cells.slice(headings.length) : []
        const name = imported.facts?.sheets[rowAt(row.place).sheet]?.name?.trim() ?? ''
        const ofSheet = isClassBySheet ? [sight.sees('class') ? name : ''] : []
        return [problemOf(row.faults, sight, words), ...ofSheet, ...shown.slice(own), ...beyond]
      }),
    )
    last = rows.at(-1)!.place
  }
  await samePlan() // the rows that were not found may have gone since it was asked
  yield await sheet.end()
}

/** Once an import is applied, its plan stays until it is erased. */
function isOtherPlan(before: ImportRow, { version, emptied_at: emptiedAt }: ImportRow): boolean {
  return emptiedAt !== null || (before.state === 'planned' && version !== before.version)
}

function changedMeanwhile(): Problem {
  return new Problem('import_state', 'The import was changed while its rows were sent; ask for them again.')
}

/** A fault may quote its cell, so it is hidden with it. */
function problemOf(faults: string | null, sight: RowSight, { hidden, fault, between }: RefusedWords): string {
  const told = (faults === null ? [] : JSON.parse(faults)) as PlannedCell[]
  return told.map((cell) => (sight.tells(cell) ? fault(cell) : hidden(cell.column))).join(between)
}

function returnedRows(
  db: Db,
  importId: number,
  { outcome, isTold }: ShownPlan,
  outcomes: readonly ReturnedOutcome[],
  after: number,
) {
  const query = db
    .selectFrom('import_plan')
    .innerJoin('import_rows', (join) =>
      join
        .onRef('import_rows.import_id', '=', 'import_plan.import_id')
        .onRef('import_rows.place', '=', 'import_plan.place'),
    )
    .innerJoin('imports', 'imports.id', 'import_plan.import_id')
    .leftJoin('students', (join) =>
      join.onRef('students.id', '=', 'import_plan.record_id').on('imports.kind', '=', 'students'),
    )
    .select([
      'import_plan.place',
      'import_plan.class_id',
      'students.class_id as class_now',
      'import_rows.cells',
      sql<string | null>`import_plan.cells`.as('faults'),
      sql<number | boolean>`(outcome = ${outcome} and ${isTold})`.as('is_told'),
    ])
    .where('import_plan.import_id', '=', importId)
    .where(sql<boolean>`${outcome} in (${sql.join(outcomes)})`)
    .where('import_plan.place', '>', after)
    .orderBy('import_plan.place')
    .limit(sliceSize)
  return rowsBeside(db, query)
}
