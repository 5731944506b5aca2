import type { ColumnMapping } from '../columns/column-mapping.ts'
import { guardianColumn, guardianOf } from '../columns/columns.ts'
import {
  hasRelation,
  nameByRelation,
  relationWords,
  unnamedGuardian,
  unnamedGuardians,
} from '../columns/unnamed-guardians.ts'
import type { Facts } from '../questions/facts.ts'
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

/** What a new guardian is called whose name the file lacks, as it was answered. */
export function impliedNames({ mapped }: ColumnMapping, { header, mode, settings }: Facts): Implied {
  const answer = settings.guardian_name
  if (mode === 'update' || (answer !== 'relation' && answer !== 'unnamed')) return () => ({})
  const unnamed = unnamedGuardians(mapped)
  const words = answer === 'relation' ? relationWords(mapped, header) : new Map<number, string>()
  return ({ values }) => {
    const given = numbersIn(values)
    const names = unnamed.flatMap((number) => {
      if (!given.has(number)) return []
      const cell = answer === 'relation' ? values[guardianColumn(number, 'relation')] : undefined
      const relation = typeof cell === 'string' ? cell : words.get(number)
      const name = relation === undefined ? unnamedGuardian : nameByRelation(relation)
      return [[guardianColumn(number, 'name'), name] as const]
    })
    return Object.fromEntries(names)
  }
}

function numbersIn(values: GivenRow): ReadonlySet<number> {
  return new Set(Object.keys(values).flatMap((name) => guardianOf(name)?.number ?? []))
}
