import type { Permission } from '../../access/permissions.ts'
import { isInScope } from '../../access/scope.ts'
import { Problem } from '../../problems.ts'
import { isErrorText } from '../../sheets/error-texts.ts'
import { checkSeesNoMore } from '../../students/changes.ts'
import type { StudentRow } from '../../students/record.ts'
import { isSensitive, type PlannedChanges, partsOf, valueIn } from '../cells/flat-student.ts'
import type { CellValue, GivenRow } from '../cells/row-values.ts'
import type { Decision, ImportMode, Outcome, PlannedCell } from '../model.ts'
import type { Basis } from './basis.ts'
import { compare } from './compare.ts'
import { identifierKeys, type Known, numberKeyOf, type ReadRow } from './matching.ts'
import { skeletonOf } from './skeleton.ts'

/** What was decided on a doubtful row; `id`: the student whom it is. */
export interface Decided {
  readonly decision: Decision
  readonly id: number | null
}

/** What is planned for a row. */
export interface RowPlan {
  readonly outcome: Outcome
  readonly student: StudentRow | undefined
  /** The class that the row names, as far as the account may know it. */
  readonly classId: number | null
  readonly numberKey: string | undefined
  readonly changes: PlannedChanges
  readonly cells: readonly PlannedCell[]
  /** Whether the row may be a student who is there already: it matches nobody, and nothing else is wrong with it. */
  readonly mayBeKnown: boolean
}

/** How rows are planned. */
export interface PlanRules {
  readonly mode: ImportMode
  readonly basis: Basis
  /** `admission_number`, or `identifiers.SYSTEM`. */
  readonly match: string
  /** Whether rows without an admission number get one. */
  readonly givesNumbers: boolean
  readonly today: string
  readonly sensitiveFields: ReadonlySet<string>
}

type Beginning = Omit<RowPlan, 'outcome' | 'cells'>

const none: Beginning = {
  student: undefined,
  classId: null,
  numberKey: undefined,
  changes: {},
  mayBeKnown: false,
}

/** Plans a row by the rules by which the API would take it: what that would refuse is refused here, in its words. */
export function planRow(rules: PlanRules, known: Known, row: ReadRow, decided?: Decided): RowPlan {
  const [student, matching] = studentOf(rules, known, row, decided)
  const classId = namedClass(rules, row.values)
  const numberKey = numberKeyOf(row.values)
  const at = { ...none, student, classId, numberKey }
  const reason = decided?.decision === 'leave_out' ? 'is left out by hand' : row.leftOut
  if (reason !== undefined)
    return { ...at, outcome: 'left_out', cells: [{ column: 'row', code: 'left_out', detail: reason }] }

  if (student === undefined && rules.mode === 'update') return planUnknown(rules, { ...at, row, matching })
  const values = decided?.decision === 'same' ? withOwnNumber(student, row.values) : row.values
  const { changes, faults } = compare(student, { ...row, values }, rules.basis.nameOrder)
  const found = [
    ...row.faults.filter((fault) => !isStoredSo(student, fault)),
    ...matching,
    ...faults,
    ...(student === undefined
      ? faultsOfNew(rules, known, row.values, changes)
      : faultsOfChange(rules, known, student, values, changes)),
  ]
  const cells = withoutRepeats(found)
  if (cells.length > 0) return { ...at, outcome: 'refused', cells }
  if (student !== undefined) {
    const isChanged = Object.keys(changes).length > 0
    return { ...at, outcome: isChanged ? 'change' : 'unchanged', changes, cells }
  }
  return { ...at, outcome: 'create', changes, cells, mayBeKnown: true }
}

/** Whether a text that looks like an error of a spreadsheet is what stands in the record. */
function isStoredSo(student: StudentRow | undefined, { column, to }: PlannedCell): boolean {
  if (student === undefined || typeof to !== 'string' || !isErrorText(to)) return false
  return String(valueIn(partsOf(student), column)) === to.trim()
}

/** A row that matches nobody, in an import that creates nobody. */
function planUnknown(
  { match }: PlanRules,
  { row, matching, ...at }: Beginning & { readonly row: ReadRow; readonly matching: PlannedCell[] },
): RowPlan {
  const faults = withoutRepeats([...row.faults, ...matching])
  const mayBeKnown = faults.length === 0
  const cells = mayBeKnown ? [unknownStudent(match)] : faults
  return { ...at, outcome: 'refused', cells, mayBeKnown }
}

function unknownStudent(column: string): PlannedCell {
  const detail = 'must be of a student who is there: the import creates nobody'
  return { column, code: 'unknown_student', detail }
}

/** The student whom a row matches, or is said to be; and what is wrong with that. */
function studentOf(
  { basis, match, mode }: PlanRules,
  known: Known,
  { values, id }: ReadRow,
  decided: Decided | undefined,
): [StudentRow | undefined, PlannedCell[]] {
  const number = numberKeyOf(values)
  const ids =
    match === 'admission_number'
      ? [number === undefined ? undefined : known.byNumber.get(number)]
      : identifierKeys(values, match).map((key) => known.byIdentifier.get(key))
  const matched = [...new Set(ids.filter((one) => one !== undefined))]
  if (matched.length > 1)
    return [undefined, [{ column: match, code: 'invalid', detail: 'must be identifiers of one student' }]]
  const matchedId = matched[0] ?? (decided?.decision === 'same' ? decided.id : undefined)
  if (matchedId === undefined || matchedId === null) return [undefined, []]
  const student = known.byId.get(matchedId)
  if (student === undefined || !isInScope(basis.authority.scopeOf('students.view'), student.class_id)) {
    if (matched.length === 0)
      return [
        undefined,
        [{ column: match, code: 'unknown_student', detail: 'is decided to be of a student who is gone' }],
      ]
    // Nobody is told more than the API tells: that the number or identifier is taken, or that there is no such student.
    return [undefined, [mode === 'update' ? unknownStudent(match) : taken(match)]]
  }
  const faults: PlannedCell[] = []
  if (mode === 'create')
    faults.push({
      column: match,
      code: 'taken',
      detail: 'is of a student who is there: the import only creates',
    })
  if (id !== undefined && id !== student.id)
    faults.push({
      column: 'id',
      code: 'invalid',
      detail: 'is the id of another student than the row matches',
    })
  return [student, faults]
}

function taken(column: string): PlannedCell {
  return column === 'admission_number'
    ? { column, code: 'taken', detail: 'is or was the number of another student' }
    : { column, code: 'taken', detail: 'is an identifier of another student' }
}

/** Who is said to be one student keeps the number, where the file's one lacks zeros or hyphens alone. */
function withOwnNumber(student: StudentRow | undefined, values: GivenRow): GivenRow {
  const number = values.admission_number
  if (student === undefined || typeof number !== 'string') return values
  if (skeletonOf(number) !== skeletonOf(student.admission_number)) return values
  const { admission_number: _, ...others } = values
  return others
}

/** The id of the class that a row names; null: none, one that is to be made, or one that the account may not know. */
function namedClass({ basis: { authority, classes } }: PlanRules, { class_id: id }: GivenRow): number | null {
  if (typeof id !== 'number' || !classes.has(id)) return null
  const scopes = (['students.view', 'students.create', 'students.update'] as const).map((one) =>
    authority.scopeOf(one),
  )
  return scopes.some((scope) => isInScope(scope, id)) ? id : null
}

function denied(column: string, permission: Permission): PlannedCell {
  return { column, code: 'permission_denied', detail: `needs the permission ${permission} for the class` }
}

const unknownClass: PlannedCell = {
  ...{ column: 'class', code: 'unknown_class', detail: 'must be a class that is there' },
}

function faultsOfNew(
  rules: PlanRules,
  known: Known,
  values: GivenRow,
  changes: PlannedChanges,
): PlannedCell[] {
  const { authority } = rules.basis
  const classId = values.class_id ?? null
  const faults: PlannedCell[] = []
  if (values.admission_number === undefined && !rules.givesNumbers)
    faults.push({ column: 'admission_number', code: 'required', detail: 'is required' })
  if (classId === null) faults.push({ column: 'class', code: 'required', detail: 'is required' })
  else faults.push(...faultsOfClass(rules, classId, 'students.create'))
  faults.push(...faultsOfSensitive(rules, Object.keys(changes), classId))
  if (!authority.scopeOf('students.create'))
    return faults.length > 0 ? faults : [denied('class', 'students.create')]
  return [...faults, ...faultsOfValues(rules, known, undefined, values, changes)]
}

function faultsOfChange(
  rules: PlanRules,
  known: Known,
  student: StudentRow,
  values: GivenRow,
  changes: PlannedChanges,
): PlannedCell[] {
  const { authority } = rules.basis
  const faults = faultsOfSensitive(rules, Object.keys(values), student.class_id)
  const isChanged = Object.keys(changes).length > 0
  if (isChanged && !isInScope(authority.scopeOf('students.update'), student.class_id))
    faults.push(denied('class', 'students.update'))
  const to = changes.class_id?.[1] ?? null
  if (to !== null) {
    faults.push(
      ...faultsOfClass(rules, to, 'students.update'),
      ...faultsOfSensitive(rules, Object.keys(values), to),
    )
    if (typeof to === 'number' && faults.length === 0)
      faults.push(...faultsOfMove(rules, student.class_id, to))
  }
  return [...faults, ...faultsOfValues(rules, known, student, values, changes)]
}

/** A class out of sight is as one that is not there; of others, what is lacking is told. One to be made is in the scope of all. */
function faultsOfClass({ basis }: PlanRules, classId: CellValue, permission: Permission): PlannedCell[] {
  const scope = basis.authority.scopeOf(permission)
  if (typeof classId !== 'number') {
    if (basis.authority.scopeOf('classes.manage') !== 'all') return [denied('class', 'classes.manage')]
    return scope === 'all' ? [] : [unknownClass]
  }
  const found = basis.classes.get(classId)
  if (found === undefined) return [unknownClass]
  const isSeen = isInScope(basis.authority.scopeOf('students.view'), classId)
  if (!isInScope(scope, classId)) return [isSeen ? denied('class', permission) : unknownClass]
  const detail = 'must be a class that is not archived'
  return found.isArchived ? [{ column: 'class', code: 'archived_class', detail }] : []
}

function faultsOfMove({ basis: { authority } }: PlanRules, from: number, to: number): PlannedCell[] {
  try {
    checkSeesNoMore(authority, from, to)
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const detail = 'must not be a class in which you would see more of the student'
    return [{ column: 'class', code: 'permission_denied', detail }]
  }
}

function faultsOfSensitive(
  { basis: { authority }, sensitiveFields }: PlanRules,
  columns: readonly string[],
  classId: CellValue,
): PlannedCell[] {
  const scope = authority.scopeOf('students.sensitive')
  const holds = typeof classId === 'number' ? isInScope(scope, classId) : scope === 'all'
  if (holds) return []
  return columns
    .filter((column) => isSensitive(column, sensitiveFields))
    .map((column) => denied(column, 'students.sensitive'))
}

/** What is wrong with values that nobody else may have, and with dates. */
function faultsOfValues(
  { today }: PlanRules,
  known: Known,
  student: StudentRow | undefined,
  values: GivenRow,
  changes: PlannedChanges,
): PlannedCell[] {
  const faults: PlannedCell[] = []
  const key = numberKeyOf(values)
  if (key !== undefined && changes.admission_number !== undefined) {
    const holders = [known.byNumber.get(key), known.formerNumbers.get(key)]
    if (holders.some((id) => id !== undefined && id !== student?.id)) faults.push(taken('admission_number'))
  }
  for (const column of Object.keys(changes).filter((one) => one.startsWith('identifiers.'))) {
    const holders = identifierKeys(values, column).map((one) => known.byIdentifier.get(one))
    if (holders.some((id) => id !== undefined && id !== student?.id)) faults.push(taken(column))
  }
  const date = changes.date_of_birth?.[1]
  if (typeof date === 'string' && date > today)
    faults.push({ column: 'date_of_birth', code: 'in_future', detail: 'must not be after today (UTC)' })
  return faults
}

/** One fault of each kind for a column: several rules may find the same. What stands there and is wrong is not missing. */
function withoutRepeats(cells: readonly PlannedCell[]): readonly PlannedCell[] {
  if (cells.length === 0) return cells
  const first = new Map(cells.toReversed().map((cell) => [`${cell.column} ${cell.code}`, cell]))
  const isWrong = new Set(cells.flatMap(({ column, code }) => (code === 'required' ? [] : column)))
  return cells.filter(
    (cell) =>
      first.get(`${cell.column} ${cell.code}`) === cell &&
      !(cell.code === 'required' && isWrong.has(cell.column)),
  )
}
