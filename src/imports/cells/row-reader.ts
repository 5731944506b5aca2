import { Problem } from '../../problems.ts'
import type { NameOrder } from '../../school/name-order.ts'
import { named } from '../../students/names.ts'
import { type ColumnMapping, type MappedColumn, mapColumns, ownFieldOf } from '../columns/column-mapping.ts'
import { keptByServer } from '../columns/columns.ts'
import { type NamePlace, namePlaces } from '../columns/name-parts.ts'
import type { PlannedCell } from '../model.ts'
import { areNumbersAt, type ReadingRules } from '../reading-rules.ts'
import { isFault, readerOf, refusingErrors, remembering } from './cell-readers.ts'
import { ClassCellReader, otherClass } from './class-cells.ts'
import { joinedLabel } from './class-labels.ts'
import { dateFormatOf } from './date-columns.ts'
import { exampleNumber, exampleRow } from './example-rows.ts'
import { type CellFault, faulty } from './faulty.ts'
import { givingToNamed, impliedNames, impliedRelations } from './implied-guardians.ts'
import { addressIn, joined, joinedColumns, type PartialAddress } from './joined-addresses.ts'
import type { CellValue, RowReader, RowValues } from './row-values.ts'

/** What each column of a file does with its cell. */
type Use = (row: RowDraft, cell: string) => void

interface RowDraft {
  readonly values: Record<string, CellValue>
  readonly faults: PlannedCell[]
  readonly partial: Record<string, PartialAddress>
  /** Names that have several columns, as far as they are read. */
  readonly names: Record<string, string[]>
  id?: number
  label?: string
  classId?: number
}

/**
 * Makes what reads the rows of students, once nothing is to be asked any more. What it says is wrong is what the API
 * would say, of columns in place of members; all of a row is told.
 * @param rules with what the file decided among the answers
 */
export function rowReader(rules: ReadingRules): RowReader {
  const mapping = mapColumns(rules)
  const joins = joinedColumns(mapping.mapped)
  const order = (rules.settings.name_order ?? rules.nameOrder) as NameOrder
  const nameParts = namePlaces(mapping.mapped, rules.header, order)
  const uses = mapping.mapped.map((one) =>
    joins.has(one.column ?? '') ? reserving(one.column!) : useOf(one, mapping, nameParts.get(one.at), rules),
  )
  const addresses = Array.from(joins, ([column, parts]) => addressUse(column, parts, rules))
  const hasColumn = (...names: string[]) => mapping.mapped.some(({ column }) => names.includes(column ?? ''))
  const tellsClass = hasColumn('class', 'class_id')
  const classes = new ClassCellReader(rules)
  const lacks = [
    ...(hasColumn('admission_number') ? [] : ['admission_number']),
    ...(hasColumn('name', 'given_name', 'family_name') ? [] : ['name']),
    ...(tellsClass || classes.isAnswered ? [] : ['class']),
  ]
  const giveToNamed = givingToNamed(mapping, rules)
  const implied = [
    ...(hasColumn('name') ? [] : [impliedName(rules)]),
    ...[impliedRelations(mapping, rules), impliedNames(mapping, rules)],
  ]

  function read(place: number, cells: readonly string[]): RowValues {
    const row: RowDraft = { values: {}, faults: [], partial: {}, names: {} }
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i]!
      if (cell === '' || cell.trim() === '') continue
      const use = uses[i] ?? beyondHeader
      use(row, cell)
    }
    if (row.values.admission_number === exampleNumber) return exampleRow('admission_number', exampleNumber)
    for (const use of addresses) use(row, cells)
    giveToNamed(row.values)
    const { values, faults, id, partial } = row
    const found = classes.read(place, { label: row.label, id: row.classId }, tellsClass)
    if ('fault' in found) faults.push(faulty('class', row.label ?? String(row.classId ?? ''), found.fault))
    if ('class_id' in found && found.class_id !== undefined) values.class_id = found.class_id
    const further = Object.assign({}, ...implied.map((of) => of(row)))
    return {
      values,
      faults,
      ...(Object.keys(further).length > 0 && { implied: further }),
      ...(id !== undefined && { id }),
      ...((addresses.length > 0 || nameParts.size > 0) && { partial }),
      ...('otherId' in found && {
        otherClass: { id: found.otherId, fault: faulty('class', row.label, otherClass) },
      }),
      ...('leftOut' in found && { leftOut: found.leftOut }),
    }
  }

  return { read, lacks, newFields: mapping.newFields }
}

/** A row that is longer than the header is most often one whose cell holds the delimiter: its cells are elsewhere. */
const beyondHeader: Use = ({ faults }, cell) => {
  const detail =
    'must not be there: the row has more cells than the header. Put a cell with a delimiter in quotes'
  if (faults.every(({ column }) => column !== 'row'))
    faults.push(faulty('row', cell, { code: 'beyond_header', detail }))
}

const required: CellFault = { code: 'required', detail: 'is required' }

/** Columns that no student can be without. */
const neverCleared = ['id', 'name', 'admission_number', 'class', 'class_id']

function useOf(
  { at, column, heading }: MappedColumn,
  mapping: ColumnMapping,
  part: NamePlace | undefined,
  rules: ReadingRules,
): Use {
  if (column === null || keptByServer.includes(column ?? '')) return () => {}
  const notSettled: CellFault = {
    code: 'undecided_column',
    detail: `is in the column "${heading}", of which nothing is said`,
  }
  if (column === undefined) return ({ faults }, cell) => faults.push(faulty('row', cell, notSettled))
  const field = ownFieldOf(mapping, column)
  const dates = dateFormatOf(heading, rules.settings)
  const areNumbers = areNumbersAt(rules, at)
  const reader = readerOf(column, field, { dates, areNumbers }) ?? ((cell: string) => cell.trim())
  const read = remembering(refusingErrors(reader))
  const clear = clearMark(rules)
  return (row, cell) => {
    if (clear !== undefined && cell.trim() === clear) {
      if (neverCleared.includes(column)) row.faults.push(faulty(column, cell, required))
      else if (part === undefined) row.values[column] = null
      else row.values[column] ??= null
      return
    }
    const given = part && namedSoFar(row, column, part.place, cell)
    const own = read(cell)
    const value = given === undefined || isFault(own) ? own : read(given.join(' '))
    if (isFault(value)) row.faults.push(faulty(column === 'class_id' ? 'class' : column, cell, value))
    else if (column === 'id') row.id = value as number
    else if (column === 'class') row.label = joinedLabel(row.label, value as string)
    else if (column === 'class_id') row.classId = value as number
    else row.values[column] = value
    // A blank part takes nothing away.
    if (given && given.length < part!.of) row.partial[column] = { parts: given, isIncomplete: false }
    else if (given) delete row.partial[column]
  }
}

/** The parts of a name that has several columns, in their order, as far as they are read. */
function namedSoFar({ names }: RowDraft, column: string, place: number, cell: string): readonly string[] {
  const parts = names[column] ?? []
  names[column] = parts
  parts[place] = cell.trim()
  return parts.filter(() => true) // without those that are not there
}

/** A part of an address keeps its place among the values, and is read with the others. */
function reserving(column: string): Use {
  return ({ values }) => {
    values[column] = null
  }
}

/** Only where no part is given is the address cleared by the mark; a blank part, or a mark beside others, says nothing. */
function addressUse(column: string, columns: readonly MappedColumn[], rules: ReadingRules) {
  const clear = clearMark(rules)
  const read = refusingErrors(readerOf(column, undefined)!)
  const isBlank = (cell: string) => cell.trim() === '' || cell.trim() === clear
  return ({ values, faults, partial }: RowDraft, cells: readonly string[]) => {
    if (!(column in values)) return
    const { isPartial, ...found } = addressIn(columns, cells, isBlank)
    if (found.parts.length === 0) return
    const wrong = found.parts.find((part) => isFault(read(part)))
    const cell = wrong ?? joined(found.parts)
    const value = read(cell)
    if (isFault(value)) faults.push(faulty(column, cell, value))
    else values[column] = value
    if (isPartial) partial[column] = found
  }
}

/** The text of a cell that clears a value; undefined: none does. */
export function clearMark({ settings }: Pick<ReadingRules, 'settings'>): string | undefined {
  const mark = String(settings.clear ?? '').trim()
  return mark === '' ? undefined : mark
}

/** The whole name of a new student, where the parts are joined in another order than the school's. */
function impliedName({ settings, nameOrder }: ReadingRules): (row: RowDraft) => object {
  const order = settings.name_order
  if ((order !== 'given_first' && order !== 'family_first') || order === nameOrder) return () => ({})
  return ({ values, faults }) => {
    const parts = { given_name: textIn(values.given_name), family_name: textIn(values.family_name) }
    if (parts.given_name === null || parts.family_name === null) return {}
    try {
      return { name: named(order, parts).name }
    } catch (error) {
      if (!(error instanceof Problem) || error.errors === undefined) throw error
      faults.push(...error.errors.map((fault) => faulty('name', undefined, fault)))
      return {}
    }
  }
}

function textIn(value: CellValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
