import type { Db } from '../../db/tables.ts'
import { rowAt } from '../../events/import-note.ts'
import { rowInWords } from '../../sheets/limits.ts'
import type { GivenFields } from '../../students/own-fields.ts'
import { type NewStudent, type StoredStudent, storedStudent } from '../../students/queries.ts'
import { givenBy, type PlannedChanges, partsOf } from '../cells/flat-student.ts'
import type { RowEndReason } from '../codes.ts'
import { ImportEnds } from '../import-ends.ts'
import type { ImportRow, PlannedCell } from '../model.ts'
import { isWritten, type StoredPlanRow } from '../planning/plan-rows.ts'
import { begin, sheetNameOf } from '../row-places.ts'
import { nextRows } from '../slices/in-order.ts'
import { inTurns } from '../slices/in-turns.ts'

/** A planned row that is to be applied. */
export interface DueRow extends Pick<StoredPlanRow, 'place' | 'record_id' | 'record_version' | 'number_key'> {
  /** The name of its sheet, where there are several. */
  readonly sheet: string | undefined
  readonly changes: PlannedChanges
  readonly cells: readonly PlannedCell[]
  /** The student whom it makes, but for the class; undefined: it makes none. */
  readonly coming: Coming | undefined
}

export interface Coming {
  readonly student: StoredStudent
  readonly fields: GivenFields | undefined
}

/**
 * The next rows of a plan that are to be applied. They are read before the write, and all is made of them that does not
 * rest on anything else: nobody but the holder of the lease changes a plan.
 * @param after a place: all before it are applied
 */
export async function dueRows(
  db: Db,
  { id: importId, kind, facts }: Pick<ImportRow, 'id' | 'kind' | 'facts'>,
  after: number,
  limit: number,
): Promise<DueRow[]> {
  const columns = ['place', 'record_id', 'record_version', 'number_key', 'changes', 'cells'] as const
  const due = { table: 'import_plan', importId, columns, met: isWritten } as const
  const rows = await nextRows<Pick<StoredPlanRow, (typeof columns)[number]>>(db, due, after, limit)
  return inTurns(rows, (row) => {
    const changes: PlannedChanges = JSON.parse(row.changes!)
    const makesStudent = kind === 'students' && row.record_id === null
    const coming = makesStudent ? comingBy(db, changes) : undefined
    const cells = row.cells === null ? [] : JSON.parse(row.cells)
    return { ...row, sheet: sheetNameOf(facts, row.place), changes, cells, coming }
  })
}

function comingBy(db: Db, changes: PlannedChanges): Coming {
  const { plain, guardians, identifiers, fields } = givenBy(partsOf(undefined), changes)
  const parts = { ...(guardians && { guardians }), ...(identifiers && { identifiers }) }
  return { student: storedStudent(db, { ...plain, ...parts } as NewStudent), fields }
}

/** Sentences without their subject. `about` is a permission, or the column by which rows match. */
const endWords: Readonly<Record<RowEndReason, (about: string) => string>> = {
  cell_changed: () => 'would change what somebody else changed since it was planned',
  newcomer: () => 'may be of a student who came since it was planned',
  student_gone: () => 'is of a student who is gone',
  match_lost: (about) => `does not match its student any more: ${about} changed since it was planned`,
  value_refused: () => "holds a value that a field of the school's own does not take any more",
  permission_lost: (about) => `needs the permission ${about} for its class, which the account has no more`,
  class_closed: () => 'is for a class that takes no more students',
}

/** What ends the import, where a row can't be written any more. */
export function ends(
  { place, sheet }: Pick<DueRow, 'place' | 'sheet'>,
  reason: RowEndReason,
  about = '',
): ImportEnds {
  const { row } = rowAt(place)
  const detail = `${begin(rowInWords(row, sheet))} ${endWords[reason](about)}.`
  return new ImportEnds({ code: 'row_not_applied', detail, params: { row, ...(sheet && { sheet }), reason } })
}
