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
import type { Facts } from '../facts.ts'
import type { GivenRow } from './row-values.ts'

/* What a row tells of guardians by its headings and by an answer, and not by a cell. */

type Implied = (row: { readonly values: GivenRow }) => object

/** What a guardian is to the student, where the headings say it and no column does. */
export function impliedRelations({ mapped }: ColumnMapping, { header }: Facts): Implied {
  const relations = [...relationWords(mapped, header)]
    .filter(([number]) => !hasRelation(mapped, number))
    .map(([number, word]) => ({ number, name: guardianColumn(number, 'relation'), word }))
  if (relations.length === 0) return () => ({})
  return ({ values }) => {
    const given = numbersIn(values)
    const found = relations.filter(({ number }) => given.has(number))
    return Object.fromEntries(found.map(({ name, word }) => [name, word]))
  }
}

/** What a new guardian is called whose name the row lacks, as it was answered; null: nobody is made of what it has. */
export function impliedNames({ mapped }: ColumnMapping, { header, mode, settings }: Facts): Implied {
  const answer = settings.guardian_name
  if (mode === 'update' || !isNaming(answer)) return () => ({})
  const words = relationWords(mapped, header)
  const nameOf = (values: GivenRow, number: number) => {
    if (answer === 'leave_out') return null
    if (answer !== 'relation') return nameForAll(answer)
    const cell = values[guardianColumn(number, 'relation')]
    const relation = typeof cell === 'string' ? cell : words.get(number)
    return relation === undefined ? unnamedGuardian : nameByRelation(relation)
  }
  return ({ values }) => {
    const unnamed = [...numbersIn(values)].filter((number) => !(guardianColumn(number, 'name') in values))
    return Object.fromEntries(
      unnamed.map((number) => [guardianColumn(number, 'name'), nameOf(values, number)]),
    )
  }
}

function numbersIn(values: GivenRow): ReadonlySet<number> {
  return new Set(Object.keys(values).flatMap((name) => guardianOf(name)?.number ?? []))
}
