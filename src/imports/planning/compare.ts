import { guardianParts } from '../../exports/headings.ts'
import { tooMany } from '../../http/validation.ts'
import { type Fault, Problem } from '../../problems.ts'
import type { NameOrder } from '../../school/name-order.ts'
import { mostGuardians, mostIdentifiers } from '../../students/list-members.ts'
import { named, renamed } from '../../students/names.ts'
import { isListed } from '../../text/listed-names.ts'
import { faulty } from '../cells/faulty.ts'
import {
  type ComparedStudent,
  givenBy,
  type ParsedStudent,
  type PlannedChanges,
  partsOf,
  valueIn,
} from '../cells/flat-student.ts'
import { givenGuardians } from '../cells/given-guardians.ts'
import { weighed } from '../cells/joined-addresses.ts'
import type { CellValue, GivenRow, RowValues } from '../cells/row-values.ts'
import { guardianColumn, plannedGuardianOf } from '../columns/guardian-columns.ts'
import { identifiersPrefix } from '../columns/prefixes.ts'
import type { PlannedCell } from '../model.ts'

/** What a row would change, and what is wrong with that. */
interface Comparison {
  readonly changes: PlannedChanges
  readonly faults: readonly PlannedCell[]
}

/** What of a row a student is compared with. */
export type GivenValues = Pick<RowValues, 'values' | 'implied' | 'partial'>

/**
 * Compares what a row gives with a student; with none, all that it gives is new. Parts and guardians that the row does
 * not give stay.
 */
export function compare(
  row: ComparedStudent | undefined,
  { values: all, implied = {}, partial = {} }: GivenValues,
  order: NameOrder,
): Comparison {
  const values = row !== undefined && isListed(all.name, row.name) ? withoutName(all) : all
  const parts = partsOf(row)
  const isFree = (column: string) => !(column in values) && valueIn(parts, column) === null
  const free = othersIn(implied).filter(isFree)
  const given =
    free.length === 0 ? values : { ...Object.fromEntries(free.map((one) => [one, implied[one]!])), ...values }
  const changes: Record<string, readonly [CellValue, CellValue]> = {}
  const take = (column: string, to: CellValue) => {
    const from = valueIn(parts, column)
    if (!isSame(from, to)) changes[column] = [from, to]
  }
  const faults: PlannedCell[] = []
  const staying: string[] = []
  for (const column of othersIn(given)) {
    const weight = weighed(partial[column], valueIn(parts, column))
    if (weight === 'is given') take(column, given[column]!)
    else if (weight === 'stays') staying.push(column)
    else faults.push(faulty(column, String(given[column]), weight))
  }
  const guardians = givenGuardians(parts, given, { implied, partial }, order)
  for (const [column, to] of guardians.values) take(column, to)
  faults.push(...guardians.faults)
  try {
    Object.assign(changes, namesOf(row, without(given, staying), changes, order))
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error
    for (const fault of error.errors) faults.push(faulty('name', undefined, fault))
  }
  return { changes, faults: [...faults, ...faultsOfLists(parts, changes)] }
}

function withoutName({ name, ...others }: GivenRow): GivenRow {
  return others
}

function isSame(from: CellValue, to: CellValue): boolean {
  return from === to || (typeof to === 'object' && JSON.stringify(from) === JSON.stringify(to))
}

function without(given: GivenRow, columns: readonly string[]): GivenRow {
  if (columns.length === 0) return given
  return Object.fromEntries(Object.entries(given).filter(([column]) => !columns.includes(column)))
}

/** The columns that are no guardian's. */
function othersIn(given: GivenRow): string[] {
  return Object.keys(given).filter((column) => plannedGuardianOf(column) === undefined)
}

/** What becomes of a name that is joined from its parts, as in the API. */
function namesOf(
  row: ComparedStudent | undefined,
  given: GivenRow,
  changes: PlannedChanges,
  order: NameOrder,
): PlannedChanges {
  const texts = (names: readonly string[]) =>
    Object.fromEntries(names.filter((name) => name in given).map((name) => [name, given[name]]))
  const patch = texts(['name', 'given_name', 'family_name']) as Record<string, string>
  const after: Readonly<Record<string, CellValue>> =
    row === undefined ? named(order, patch) : { ...renamed(order, row, patch) }
  const joined: Record<string, readonly [CellValue, CellValue]> = {}
  for (const column of ['name', 'name_joined'] as const) {
    const [from, to] = [row?.[column] ?? null, after[column] ?? null]
    const isGiven = column in changes || (column === 'name' && 'name' in given)
    if (to !== null && !isGiven && from !== to && (row !== undefined || to !== 0)) joined[column] = [from, to]
  }
  return joined
}

function faultsOfLists(parts: ParsedStudent, changes: PlannedChanges): PlannedCell[] {
  const columns = Object.keys(changes)
  const faults: PlannedCell[] = []
  const touched = new Set(columns.flatMap((column) => plannedGuardianOf(column)?.number ?? []))
  for (const number of touched) {
    const after = guardianParts.map((part) => {
      const column = guardianColumn(number, part)
      return column in changes ? changes[column]![1] : valueIn(parts, column)
    })
    if (after[0] !== null || after.every((value) => value === null)) continue
    faults.push({ column: guardianColumn(number, 'name'), code: 'required', detail: 'is required' })
  }
  const given = touched.size > 0 || columns.some((one) => one.startsWith(identifiersPrefix))
  if (!given) return faults
  const { guardians, identifiers } = givenBy(parts, changes)
  const add = (column: string, fault: Fault) => faults.push(faulty(column, undefined, fault))
  if ((guardians?.length ?? 0) > mostGuardians)
    add(guardianColumn(mostGuardians + 1, 'name'), tooMany(mostGuardians))
  if ((identifiers?.length ?? 0) > mostIdentifiers)
    add(columns.find((one) => one.startsWith(identifiersPrefix))!, tooMany(mostIdentifiers))
  return faults
}
