import type { Fault } from '../../problems.ts'
import { guardianMembers } from '../../students/list-members.ts'
import type { Answer } from '../model.ts'
import type { MappedColumn } from './column-mapping.ts'
import { guardianColumn, guardianOf } from './guardian-columns.ts'
import { guardianHeading } from './guardian-words.ts'
import { readText, textRule } from './text-rules.ts'

/* Guardians of whom a row has a part, as a phone number, and not the name. */

/** What can be answered to what a new one is called, besides a name for all. */
export const guardianAnswers = ['relation', 'leave_out'] as const

const nameRule = textRule(guardianMembers.name)

/** The name for all that an answer is, in its stored form, or what is wrong with it. */
export function nameForAll(answer: Answer): string | Fault {
  return readText(nameRule, String(answer))
}

/** Whether an answer tells what a new one is called. */
export function isNaming(answer: Answer | undefined): answer is Answer {
  return answer !== undefined && typeof nameForAll(answer) === 'string'
}

type Column = Pick<MappedColumn, 'at' | 'column'>

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

/** What a new guardian is called of whom nothing tells the relation, where no name is given for all. */
export const unnamedGuardian = 'Guardian'

/** What a new guardian is called by the relation: `Mother` for `mother`. */
export function nameByRelation(relation: string): string {
  const [first = '', ...rest] = relation
  return first.toUpperCase() + rest.join('')
}
