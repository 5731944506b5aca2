import { isInScope } from '../../access/scope.ts'
import { isErrorText } from '../../sheets/error-texts.ts'
import { isUnsureNumber } from '../cells/cell-readers.ts'
import { type ComparedStudent, type PlannedChanges, partsOf, valueIn } from '../cells/flat-student.ts'
import type { GivenRow } from '../cells/row-values.ts'
import { namesStudent, type Outcome, type PlannedCell } from '../model.ts'
import type { Basis } from './basis.ts'
import { compare, type GivenValues } from './compare.ts'
import { identifierKeys, type Known, numberKeyOf, type ReadRow } from './matching.ts'
import {
  faultsOfChange,
  faultsOfNew,
  notImported,
  orUnknown,
  type PlanRules,
  seesIn,
  seesSensitive,
  taken,
  unknownStudent,
  withoutRepeats,
} from './row-faults.ts'
import { skeletonOf } from './skeleton.ts'

/** What is planned for a row. */
export interface RowPlan {
  readonly outcome: Outcome
  readonly student: ComparedStudent | undefined
  /** The class that the row names, as far as the account may know it. */
  readonly classId: number | null
  readonly numberKey: string | undefined
  readonly changes: PlannedChanges
  readonly cells: readonly PlannedCell[]
  /**
   * Whether the row may be a student who is there already: it matches nobody, and its class, if it is left out, is not
   * why. Where nobody is created, nothing else is wrong with it either.
   */
  readonly mayBeKnown: boolean
}

type Beginning = Omit<RowPlan, 'outcome' | 'cells'>

/** What is known of a row as its planning begins. */
export const unplanned: Beginning = {
  student: undefined,
  classId: null,
  numberKey: undefined,
  changes: {},
  mayBeKnown: false,
}

/** Plans a row by the rules by which the API would take it: what that would refuse is refused here, in its words. */
export function planRow(rules: PlanRules, known: Known, read: ReadRow): RowPlan {
  const [student, matching] = studentOf(rules, known, read)
  const row = ofOneClass(read, student)
  const classId = namedClass(rules, row.values)
  const values = valuesOf(row, student)
  const numberKey = numberKeyOf(values)
  const at = { ...unplanned, student, classId, numberKey }
  const leftOut = read.decided?.decision === 'leave_out' ? leftOutByHand : row.leftOut
  if (leftOut !== undefined) {
    const mayBeKnown = rules.mode !== 'update' && leftOut === leftOutByHand && student === undefined
    return { ...at, outcome: 'left_out', cells: [leftOut], mayBeKnown }
  }

  if (student === undefined && rules.mode === 'update') return planUnknown(rules, { ...at, row, matching })
  const given = { values, implied: row.implied, partial: row.partial }
  const compared = student === undefined ? given : withoutHidden(rules, student, given)
  const { changes, faults } = compare(student, compared, rules.basis.nameOrder)
  const all = [
    ...row.faults.filter((fault) => !isStoredSo(rules, student, fault)),
    ...matching,
    ...faults,
    ...(student === undefined
      ? faultsOfNew(rules, known, row.values, changes)
      : faultsOfChange(rules, known, student, values, changes)),
  ]
  const found = withoutRepeats(all)
  const cells = student === undefined ? orUnknown(rules, row.values, found) : found
  if (cells.length > 0) return { ...at, outcome: 'refused', cells, mayBeKnown: student === undefined }
  if (student !== undefined) {
    const isChanged = Object.keys(changes).length > 0
    return { ...at, outcome: isChanged ? 'change' : 'unchanged', changes, cells }
  }
  return { ...at, outcome: 'create', changes, cells, mayBeKnown: true }
}

/** Of a row that somebody left out. */
export const leftOutByHand: PlannedCell = { column: 'row', code: 'left_out', detail: 'is left out by hand' }

/** What may be compared with a student: where the account may not see what is sensitive, a fault or none would tell it. */
function withoutHidden(
  rules: PlanRules,
  { class_id: classId }: ComparedStudent,
  given: GivenValues,
): GivenValues {
  if (seesSensitive(rules, classId)) return given
  const seen = (given: GivenRow): GivenRow =>
    Object.fromEntries(Object.entries(given).filter(([column]) => seesIn(rules, classId, column)))
  return { ...given, values: seen(given.values), implied: seen(given.implied ?? {}) }
}

/** Whether a text that looks like an error of a spreadsheet, or like two numbers, is what stands in the record. */
function isStoredSo(
  rules: PlanRules,
  student: ComparedStudent | undefined,
  { column, to }: PlannedCell,
): boolean {
  if (student === undefined || typeof to !== 'string') return false
  if (!isErrorText(to) && !isUnsureNumber(to.trim())) return false
  if (!seesIn(rules, student.class_id, column)) return false
  return String(valueIn(partsOf(student), column)) === to.trim()
}

/** A row that matches nobody, in an import that creates nobody. */
function planUnknown(
  rules: PlanRules,
  { row, matching, ...at }: Beginning & { readonly row: ReadRow; readonly matching: PlannedCell[] },
): RowPlan {
  const faults = withoutRepeats([...row.faults, ...matching])
  const mayBeKnown = faults.length === 0
  const cells = mayBeKnown ? [unknownHere(rules, row.values)] : faults
  return { ...at, outcome: 'refused', cells, mayBeKnown }
}

function unknownHere(rules: PlanRules, values: GivenRow): PlannedCell {
  const detail = 'must be of a student who is there: the import creates nobody'
  return unknownStudent(rules, values, { detail })
}

/** Whether the account sees a student, whether it imports for them or not. */
export function sees({ sight }: Basis, student: ComparedStudent | undefined): boolean {
  return student !== undefined && isInScope(sight.scopeOf('students.view'), student.class_id)
}

/** The student whom a row matches, or is said to be; and what is wrong with that. */
function studentOf(
  rules: PlanRules,
  known: Known,
  { values, id, decided }: ReadRow,
): [ComparedStudent | undefined, PlannedCell[]] {
  const { basis, match, mode } = rules
  const number = numberKeyOf(values)
  const ids =
    match === 'admission_number'
      ? [number === undefined ? undefined : known.byNumber.get(number)]
      : identifierKeys(values, match).map((key) => known.byIdentifier.get(key))
  const matched = [...new Set(ids.filter((one) => one !== undefined))]
  if (matched.length > 1)
    return [
      undefined,
      [{ column: match, code: 'several_students', detail: 'must be identifiers of one student' }],
    ]
  const matchedId = matched[0] ?? (namesStudent(decided?.decision) ? decided?.id : undefined)
  if (matchedId === undefined || matchedId === null) return [undefined, []]
  const student = known.byId.get(matchedId)
  if (student === undefined || !isInScope(basis.authority.scopeOf('students.view'), student.class_id)) {
    if (sees(basis, student) && (matched.length === 0 || mode === 'update')) return [undefined, [notImported]]
    if (matched.length === 0)
      return [
        undefined,
        [{ column: match, code: 'unknown_student', detail: 'is decided to be of a student who is gone' }],
      ]
    // Nobody is told more than the API tells: that the number or identifier is taken, or that there is no such student.
    return [undefined, [mode === 'update' ? unknownHere(rules, values) : taken(match, [matchedId])]]
  }
  const faults: PlannedCell[] = []
  if (mode === 'create')
    faults.push({
      column: match,
      code: 'taken',
      detail: 'is of a student who is there: the import only creates',
      ids: [student.id],
    })
  if (id !== undefined && id !== student.id)
    faults.push({
      column: 'id',
      code: 'other_student',
      detail: 'is not the id of the student whom the row matches',
    })
  return [student, faults]
}

/** Of two classes that a row tells, the one that its student is not in is meant: that cell was changed. */
function ofOneClass(row: ReadRow, student: ComparedStudent | undefined): ReadRow {
  const { otherClass: other, values, faults } = row
  if (other === undefined || student?.class_id === other.id) return row
  const { class_id: called, ...others } = values
  if (student?.class_id === called) return { ...row, values: { ...others, class_id: other.id } }
  return { ...row, values: others, faults: [...faults, other.fault] }
}

/** What a row gives, but for what is to stay as the record of its student has it. */
function valuesOf({ values, decided }: ReadRow, student: ComparedStudent | undefined): GivenRow {
  if (!namesStudent(decided?.decision)) return values
  const given = withOwnNumber(student, values)
  if (decided?.decision !== 'same_keep_name') return given
  const { name, given_name, family_name, ...others } = given
  return others
}

/** Who is said to be one student keeps the number, where the file’s one is that but for what `skeletonOf` takes away. */
function withOwnNumber(student: ComparedStudent | undefined, values: GivenRow): GivenRow {
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
