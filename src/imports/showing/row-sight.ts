import type { Authority } from '../../access/authority.ts'
import { isInScope } from '../../access/scope.ts'
import type { Db } from '../../db/tables.ts'
import { findFields } from '../../fields/queries.ts'
import { isSensitive, openFieldsOf } from '../cells/flat-student.ts'
import type { ImportRow, PlannedCell } from '../model.ts'

/** Of which classes a row tells: the one that its student is in now, and the one that it names; null: none is known. */
export interface RowClasses {
  readonly class_now: number | null
  readonly class_id: number | null
}

/** Which cells of a row its reader may see now. */
export interface RowSight {
  sees(column: string): boolean
  /** Whether what is wrong with a cell may be told. That a permission lacks tells nothing of the cell. */
  tells(cell: PlannedCell): boolean
  /** Whether the student that it matches may be seen; a record of another kind may. */
  readonly seesStudent: boolean
  /** What a field of the school's own takes now, where it has few options. */
  optionsOf(column: string): readonly string[] | undefined
  /** Whether a cell whose column is not known may be seen: it may hold anything. */
  readonly seesAll: boolean
}

/** How many characters the options of a field may have that are told with each cell: a page has a thousand rows. */
const mostTold = 200

/**
 * What tells which cells a reader may see: by what they hold now, for the classes of the row. A field that the import
 * was to make sensitive holds what is sensitive, also where one that is not has its key by now.
 */
export async function sightFor(
  db: Db,
  authority: Authority,
  { makes }: Pick<ImportRow, 'makes'>,
): Promise<(row: RowClasses) => RowSight> {
  const toBe = makes?.fields.filter(({ sensitive }) => sensitive).map(({ key }) => key)
  const fields = await findFields(db)
  const open = openFieldsOf(fields.filter(({ key }) => !toBe?.includes(key)))
  const few = fields.flatMap(({ key, options }) =>
    options === null || options.join('').length > mostTold ? [] : [[`fields.${key}`, options] as const],
  )
  const optionsByColumn = new Map<string, readonly string[]>(few)
  const optionsOf = (column: string) => optionsByColumn.get(column)
  const [views, seesSensitive] = ['students.view', 'students.sensitive'].map((one) => authority.scopeOf(one))
  return ({ class_now, class_id }) => {
    const classes = [class_now, class_id].filter((id) => id !== null)
    const seesPlain = classes.every((id) => isInScope(views, id))
    const ofSensitive =
      classes.length === 0 ? seesSensitive === 'all' : classes.every((id) => isInScope(seesSensitive, id))
    const seesAll = seesPlain && ofSensitive
    const seesStudent = class_now === null || isInScope(views, class_now)
    const sees = (column: string) => (isSensitive(column, open) ? seesAll : seesPlain)
    const tells = ({ column, code }: PlannedCell) => code === 'permission_denied' || sees(column)
    return { seesAll, seesStudent, sees, tells, optionsOf }
  }
}
