import type { Permission } from '../../access/permissions.ts'
import { isInScope } from '../../access/scope.ts'
import { Problem } from '../../problems.ts'
import { checkSeesNoMore } from '../../students/changes.ts'
import { type ComparedStudent, isSensitive, type PlannedChanges } from '../cells/flat-student.ts'
import type { CellValue, GivenRow } from '../cells/row-values.ts'
import { identifiersPrefix } from '../columns/prefixes.ts'
import type { ImportMode, PlannedCell } from '../model.ts'
import type { Basis } from './basis.ts'
import { identifierKeys, type Known, numberKeyOf } from './matching.ts'

/* What is wrong with a row: by what the account may do, and by what nobody else may have. */

/** How rows are planned. */
export interface PlanRules {
  readonly mode: ImportMode
  readonly basis: Basis
  /** `admission_number`, or `identifiers.SYSTEM`. */
  readonly match: string
  /** Whether rows without an admission number get one. */
  readonly givesNumbers: boolean
  /** See `RowReader`. */
  readonly lacks: readonly string[]
  readonly today: string
  /** The keys of own fields that need no `students.sensitive`, with those that are to be made. */
  readonly openFields: ReadonlySet<string>
}

/** Whether the account may see a column of students of a class; of a class that is to be made, where it may of all. */
export function seesIn(rules: PlanRules, classId: CellValue, column: string): boolean {
  return seesSensitive(rules, classId) || !isSensitive(column, rules.openFields)
}

/** Whether it may see what is sensitive there. */
export function seesSensitive({ basis: { authority } }: PlanRules, classId: CellValue): boolean {
  const scope = authority.scopeOf('students.sensitive')
  return typeof classId === 'number' ? isInScope(scope, classId) : scope === 'all'
}

/** How many students a cell names at most. */
const mostHolders = 20

/** What other students have, or had; whom of them its reader sees, the cell tells. */
export function taken(column: string, holders: readonly number[]): PlannedCell {
  const isNumber = column === 'admission_number'
  const detail = isNumber ? 'is or was the number of another student' : 'is an identifier of another student'
  return { column, code: 'taken', detail, ids: [...new Set(holders)].slice(0, mostHolders) }
}

/** Of a row whose number or identifier no student has whom the account sees. */
export function unknownStudent(
  { match }: PlanRules,
  values: GivenRow,
  told: Pick<PlannedCell, 'detail' | 'params'>,
): PlannedCell {
  const to = [values[match] ?? []].flat().join(', ')
  return { column: match, ...(to !== '' && { to }), code: 'unknown_student', ...told }
}

/** Whether that is wrong with a new student alone: one who is there has it. */
export function isOfNewAlone({ code }: PlannedCell): boolean {
  return code === 'required' || code === 'unknown_student'
}

/** What a new student needs, with its article. */
const needs: Readonly<Record<string, string>> = {
  admission_number: 'an admission number',
  name: 'a name',
  class: 'a class',
}

const inList = new Intl.ListFormat('en-GB')

/**
 * What is wrong with a row that makes a student. Where its number matches nobody, and the file has no column for what a
 * new student needs, the number is most often wrong: that is told in place of each such column.
 */
export function orUnknown(
  rules: PlanRules,
  values: GivenRow,
  faults: readonly PlannedCell[],
): readonly PlannedCell[] {
  const { match, mode, lacks } = rules
  if (mode === 'create' || !values[match] || faults.some(({ column }) => column === match)) return faults
  const isLacking = ({ code, column }: PlannedCell) => code === 'required' && lacks.includes(column)
  const lacking = lacks.filter((one) => faults.some((fault) => isLacking(fault) && fault.column === one))
  if (lacking.length === 0) return faults
  const needed = inList.format(lacking.map((column) => needs[column]!))
  const detail = `is of no student: a new one needs ${needed}, which the file does not have`
  return [
    unknownStudent(rules, values, { detail, params: { lacking } }),
    ...faults.filter((fault) => !isLacking(fault)),
  ]
}

function denied(column: string, permission: Permission): PlannedCell {
  const detail = `needs the permission ${permission} for the class`
  return { column, code: 'permission_denied', detail, params: { permission } }
}

const unknownClass: PlannedCell = {
  column: 'class',
  code: 'unknown_class',
  detail: 'must be a class that is there',
}

/** Of a class that the account sees, and does not import into. There it lacks all of the students, which need not be told. */
export const notImported = denied('class', 'students.import')

/** What is wrong with a row that makes a student. */
export function faultsOfNew(
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
  const name = changes.name?.[1]
  if (typeof name === 'string' && !/\p{L}/u.test(name))
    faults.push({
      column: 'name',
      to: name,
      code: 'no_letters',
      detail: 'has no letter: is this a row of totals?',
    })
  if (!faults.includes(notImported)) faults.push(...faultsOfSensitive(rules, Object.keys(changes), classId))
  if (!authority.scopeOf('students.create'))
    return faults.length > 0 ? faults : [denied('class', 'students.create')]
  return [...faults, ...faultsOfValues(rules, known, undefined, values, changes)]
}

/** What is wrong with a row of a student who is there. */
export function faultsOfChange(
  rules: PlanRules,
  known: Known,
  student: ComparedStudent,
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
    faults.push(...faultsOfClass(rules, to, 'students.update'))
    if (!faults.includes(notImported)) faults.push(...faultsOfSensitive(rules, Object.keys(values), to))
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
  if (!isInScope(scope, classId)) {
    const holdsFor = (one: Permission) => isInScope(basis.authority.scopeOf(one), classId)
    if (!holdsFor('students.view') && !holdsFor('classes.view')) return [unknownClass]
    return [holdsFor('students.import') ? denied('class', permission) : notImported]
  }
  const detail = 'must be a class that is not archived'
  return found.archived ? [{ column: 'class', code: 'archived_class', detail }] : []
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

function faultsOfSensitive(rules: PlanRules, columns: readonly string[], classId: CellValue): PlannedCell[] {
  if (seesSensitive(rules, classId)) return []
  return columns
    .filter((column) => isSensitive(column, rules.openFields))
    .map((column) => denied(column, 'students.sensitive'))
}

/** What is wrong with values that nobody else may have, and with dates. */
function faultsOfValues(
  { today }: PlanRules,
  known: Known,
  student: ComparedStudent | undefined,
  values: GivenRow,
  changes: PlannedChanges,
): PlannedCell[] {
  const faults: PlannedCell[] = []
  const checkHolders = (column: string, holders: readonly (number | undefined)[]) => {
    const others = holders.filter((id) => id !== undefined && id !== student?.id) as number[]
    if (others.length > 0) faults.push(taken(column, others))
  }
  const key = changes.admission_number && numberKeyOf(values)
  if (key !== undefined)
    checkHolders('admission_number', [known.byNumber.get(key), known.formerNumbers.get(key)])
  for (const column of Object.keys(changes).filter((one) => one.startsWith(identifiersPrefix))) {
    const keys = identifierKeys(values, column)
    checkHolders(
      column,
      keys.map((one) => known.byIdentifier.get(one)),
    )
  }
  const date = changes.date_of_birth?.[1]
  if (typeof date === 'string' && date > today)
    faults.push({ column: 'date_of_birth', code: 'in_future', detail: 'must not be after today (UTC)' })
  return faults
}

/** One fault of each kind for a column: several rules may find the same. What stands there and is wrong is not missing. */
export function withoutRepeats(cells: readonly PlannedCell[]): readonly PlannedCell[] {
  if (cells.length === 0) return cells
  const first = new Map(cells.toReversed().map((cell) => [`${cell.column} ${cell.code}`, cell]))
  const isWrong = new Set(cells.flatMap(({ column, code }) => (code === 'required' ? [] : column)))
  return cells.filter(
    (cell) =>
      first.get(`${cell.column} ${cell.code}`) === cell &&
      !(cell.code === 'required' && isWrong.has(cell.column)),
  )
}
