import type { ColumnMapping } from '../columns/column-mapping.ts'
import { guardianColumn, guardianOf } from '../columns/guardian-columns.ts'
import {
  hasRelation,
  isNaming,
  nameByRelation,
  nameForAll,
  relationWords,
  unnamedGuardian,
} from '../columns/unnamed-guardians.ts'
import { unownedColumns } from '../columns/unowned-parts.ts'
import type { ReadingRules } from '../reading-rules.ts'
import type { CellValue, GivenRow } from './row-values.ts'

/* What a row tells of guardians by its headings and by an answer, and not by a cell. */

type Implied = (row: { readonly values: GivenRow }) => object

/** What a guardian is to the student, where the headings say it and no column does. */
export function impliedRelations({ mapped }: ColumnMapping, { header }: ReadingRules): Implied {
  const relations = [...relationWords(mapped, header)]
    .filter(([number]) => !hasRelation(mapped, number))
    .map(([number, word]) => ({ number, name: guardianColumn(number, 'relation'), word }))
  if (relations.length === 0) return () => ({})
  const unowned = unownedColumns(mapped, header)
  return ({ values }) => {
    const given = numbersIn(values, unowned)
    const found = relations.filter(({ number }) => given.has(number))
    return Object.fromEntries(found.map(({ name, word }) => [name, word]))
  }
}

/** What a new guardian is called whose name the row lacks, as it was answered; null: nobody is made of what it has. */
export function impliedNames({ mapped }: ColumnMapping, { header, mode, settings }: ReadingRules): Implied {
  const answer = settings.guardian_name
  if (mode === 'update' || !isNaming(answer)) return () => ({})
  const words = relationWords(mapped, header)
  const unowned = unownedColumns(mapped, header)
  const nameOf = (values: GivenRow, number: number) => {
    if (answer === 'leave_out') return null
    if (answer !== 'relation') return nameForAll(answer)
    const cell = values[guardianColumn(number, 'relation')]
    const word = numbersIn(values, unowned).has(number) ? words.get(number) : undefined
    const relation = typeof cell === 'string' ? cell : word
    return relation === undefined ? unnamedGuardian : nameByRelation(relation)
  }
  return ({ values }) => {
    const unnamed = [...numbersIn(values)].filter((number) => !(guardianColumn(number, 'name') in values))
    return Object.fromEntries(
      unnamed.map((number) => [guardianColumn(number, 'name'), nameOf(values, number)]),
    )
  }
}

/** The guardians of whom a row gives anything. @param but columns that do not count */
function numbersIn(values: GivenRow, but: ReadonlySet<string> = new Set()): ReadonlySet<number> {
  const given = Object.keys(values).filter((name) => !but.has(name))
  return new Set(given.flatMap((name) => guardianOf(name)?.number ?? []))
}

/** Gives a phone whose heading names nobody to the first guardian whom a row names. */
export function givingToNamed({ mapped }: ColumnMapping, { header }: ReadingRules) {
  const parts = [...unownedColumns(mapped, header)].map((column) => ({ column, ...guardianOf(column)! }))
  const numbers = mapped.flatMap(({ column }) => {
    const found = guardianOf(column ?? '')
    return found?.part === 'name' ? found.number : []
  })
  const inOrder = numbers.toSorted((one, other) => one - other)
  return (values: Record<string, CellValue>): void => {
    for (const { column, part } of parts) {
      const value = values[column]
      if (value === undefined) continue
      const named = inOrder.find((number) => typeof values[guardianColumn(number, 'name')] === 'string')
      if (named === undefined || named === 1) continue
      values[guardianColumn(named, part)] = value
      delete values[column]
    }
  }
}
