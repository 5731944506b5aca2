import type { Authority } from '../../access/authority.ts'
import { isInScope } from '../../access/scope.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import type { Db } from '../../db/tables.ts'
import { rowAt } from '../../events/import-note.ts'
import { cellOf } from '../../exports/sheet-plan.ts'
import type { Static } from '../../http/json-schema.ts'
import type { PlannedChanges } from '../cells/flat-student.ts'
import type { CellValue } from '../cells/row-values.ts'
import type { Decision, FileSheet, ImportRow, Outcome, PlannedCell } from '../model.ts'
import type { StoredPlanRow } from '../planning/plan-rows.ts'
import type { PlannedRow } from '../row-messages.ts'
import { sheetNameOf } from '../row-places.ts'
import type { CalledBy } from './called.ts'
import { type RowClasses, type RowSight, sightFor } from './row-sight.ts'

/** A cell as an answer shows it. Of one that its reader may not see, the column is named alone. */
export type ShownCell = Static<typeof PlannedRow>['cells'][number]

/** A row of a plan as an answer shows it. */
export type ShownRow = Static<typeof PlannedRow>

/** A row as it is read to be shown. */
export interface StoredRow
  extends RowClasses,
    Omit<StoredPlanRow, 'record_version' | 'number_key' | 'likeness'> {
  /** The outcome that its reader is shown: another, where it tells of what they may not see. */
  readonly shown_as: string
  /** Whether its reader is told more than that. */
  readonly is_told: number | boolean
  readonly decision: string | null
  /** JSON: the row of the file; null: it is erased, or there is none. */
  readonly file_cells: string | null
}

/** What is known of the file, and of the fields that its import makes. */
export interface ShownFile extends Pick<ImportRow, 'makes'> {
  readonly sheets: readonly FileSheet[]
  readonly calledBy: CalledBy
}

/** Shows rows as a reader may see them. */
export async function shownRows(
  db: Db,
  authority: Authority,
  file: ShownFile,
  rows: readonly StoredRow[],
): Promise<ShownRow[]> {
  const sightOf = await sightFor(db, authority, file)
  const labels = await labelsOfClasses(db)
  const read = rows.map((row) => ({ row, cells: cellsOf(row, labels) }))
  const seen = await idsSeen(
    db,
    authority,
    read.flatMap(({ cells }) => cells.flatMap(({ ids = [] }) => ids)),
  )
  return read.map(({ row, cells }) => {
    const sight = sightOf(row)
    const { outcome, shown_as, record_id: id, decision, kept, file_cells: fileCells } = row
    const isTold = Boolean(row.is_told)
    const isHidden = outcome !== shown_as || (outcome === 'refused' && !isTold)
    const sheet = sheetNameOf(file, row.place)
    const isCalled = fileCells !== null && isTold && !isHidden && sight.sees('name')
    const called = isCalled ? file.calledBy(JSON.parse(fileCells)) : null
    return {
      ...(row.place >= 0 && { row: rowAt(row.place).row }),
      ...(sheet && { sheet }),
      outcome: shown_as as Outcome,
      ...(called !== null && { called }),
      ...(id !== null && sight.seesStudent && !isHidden && { id }),
      ...(decision !== null && isTold && { decision: decision as Decision }),
      cells: isHidden ? [hiddenRow] : cells.map((cell) => shownCell(cell, sight, seen)),
      outdated: row.outdated === 1 && isTold,
      ...(kept !== null && isTold && { kept: JSON.parse(kept) }),
    }
  })
}

/** In place of the cells of a row that tells of what its reader may not see. */
const hiddenRow: ShownCell = { column: 'row', hidden: true }

function shownCell(cell: PlannedCell, sight: RowSight, seen: ReadonlySet<number>): ShownCell {
  const { column, to, ids = [], places: _, mayBe: __, ...told } = cell
  const idsToShow = ids.filter((id) => seen.has(id))
  // That something is taken is told to everybody, as the API tells it.
  const tellsOfNobodySeen = cell.code !== 'taken' && ids.length > 0 && idsToShow.length === 0
  if (!sight.tells(cell) || tellsOfNobodySeen) return { column, hidden: true }
  // What stands where no column is known may be anything.
  const isShown = to !== undefined && (column !== 'row' || sight.seesAll)
  // Not in the plan: a hundred options would stand there with each row.
  const accepted = cell.code === 'not_allowed' ? sight.optionsOf(column) : undefined
  return {
    ...{ column, ...told, ...(isShown && { to }), ...(idsToShow.length > 0 && { ids: idsToShow }) },
    ...(accepted && { params: { accepted: [...accepted] } }),
  }
}

/** What would change, and what is wrong or doubtful. */
function cellsOf(
  { changes, cells }: Pick<StoredRow, 'changes' | 'cells'>,
  labels: ReadonlyMap<number, string>,
): PlannedCell[] {
  const planned = Object.entries((changes === null ? {} : JSON.parse(changes)) as PlannedChanges)
  const changed = planned
    .filter(([column]) => column !== 'name_joined')
    .map(([column, [from, to]]): PlannedCell => {
      if (column !== 'class_id') return { column, from: textOf(from), to: textOf(to) }
      return { column: 'class', from: labelOf(from, labels), to: labelOf(to, labels) }
    })
  return [...changed, ...((cells === null ? [] : JSON.parse(cells)) as PlannedCell[])]
}

const textOf = (value: CellValue) => (value === null ? null : cellOf(value))

/** A class that the import makes stands by its label. */
function labelOf(value: CellValue, labels: ReadonlyMap<number, string>): string | null {
  return typeof value === 'number' ? (labels.get(value) ?? null) : textOf(value)
}

async function labelsOfClasses(db: Db): Promise<Map<number, string>> {
  const rows = await db.selectFrom('classes').select(['id', 'label']).execute()
  return new Map(rows.map(({ id, label }) => [id, label]))
}

/** Of these students, those whom someone sees. */
export async function idsSeen(
  db: Db,
  authority: Authority,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('students')
    .select(['id', 'class_id'])
    .where(isOneOf(db, 'id', new Set(ids)))
    .execute()
  const scope = authority.scopeOf('students.view')
  return new Set(rows.filter(({ class_id }) => isInScope(scope, class_id)).map(({ id }) => id))
}
