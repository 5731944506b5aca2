import { guardianColumn, guardianOf } from './columns.ts'
import { guardianHeading } from './guardian-words.ts'

/* Guardians of whom a file has a part, as a phone number, and no column with the name. */

interface Column {
  /** Its place, from 0. */
  readonly at: number
  readonly column: string | null | undefined
}

/** The numbers of guardians of whom no column is the name. */
export function unnamedGuardians(mapped: readonly Column[]): number[] {
  const told = mapped.flatMap(({ column }) => guardianOf(column ?? '') ?? [])
  const named = new Set(told.flatMap(({ number, part }) => (part === 'name' ? [number] : [])))
  return [...new Set(told.map(({ number }) => number))].filter((number) => !named.has(number))
}

/** What guardians are to the student by the headings of their columns, by number, where all say the same. */
export function relationWords(
  mapped: readonly Column[],
  header: readonly string[],
): ReadonlyMap<number, string> {
  const told = new Map<number, Set<string>>()
  for (const { at, column } of mapped) {
    const number = guardianOf(column ?? '')?.number
    const word = guardianHeading(header[at] ?? '')?.word
    if (number !== undefined && word !== undefined)
      told.set(number, (told.get(number) ?? new Set()).add(word))
  }
  return new Map(
    [...told].flatMap(([number, words]) => (words.size === 1 ? [[number, [...words][0]!] as const] : [])),
  )
}

/** Whether a column holds what a guardian is to the student. */
export function hasRelation(mapped: readonly Column[], number: number): boolean {
  return mapped.some(({ column }) => column === guardianColumn(number, 'relation'))
}

/** What a new guardian is called of whom nothing tells the relation. */
export const unnamedGuardian = 'Guardian'

/** What a new guardian is called by the relation: `Mother` for `mother`. */
export function nameByRelation(relation: string): string {
  const [first = '', ...rest] = relation
  return first.toUpperCase() + rest.join('')
}
