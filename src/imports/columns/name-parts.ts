import type { NameOrder } from '../../school/name-order.ts'
import type { MappedColumn } from './column-mapping.ts'
import { guardianOf } from './guardian-columns.ts'
import { guardianHeading } from './guardian-words.ts'
import { foldHeading } from './headings.ts'

/* Names in several columns: `Nom mère` and `Prénom mère`, `Primer apellido` and `Segundo apellido`. */

type Column = Pick<MappedColumn, 'at' | 'column'>

/** The second one is a second surname, or of a student's given names all behind the first. */
export type NamePart = 'given' | 'family' | 'second'

const seconds = /\b(?:segundo|middle) (?:apellido|nombre|names?)\b|\b(?:apellido|nombre) (?:2|materno)\b/
const firsts = /\bprimer apellido\b|\bapellido (?:1|paterno)\b/

/** Which part of a name a heading tells; undefined: the whole, or what the other columns lack. */
function partIn(column: string, heading: string): NamePart | undefined {
  if (guardianOf(column)?.part === 'name') return guardianHeading(heading)?.half
  const folded = foldHeading(heading)
  return seconds.test(folded) ? 'second' : firsts.test(folded) ? 'family' : undefined
}

const partsIn = (alike: readonly Column[], header: readonly string[]) =>
  alike.map(({ at, column }) => partIn(column ?? '', header[at] ?? ''))

/** Whether columns that mean the same are parts of one name, by their headings: each is another part. */
export function areNameParts(alike: readonly Column[], header: readonly string[]): boolean {
  const parts = partsIn(alike, header)
  if (alike.length < 2 || new Set(parts).size < parts.length) return false
  const [{ column }] = alike as [Column]
  if (column === 'given_name') return parts.includes('second')
  if (column === 'family_name') return parts.includes('second') && parts.includes('family')
  const isWholeToo = parts.length > 2 && parts.includes(undefined) && parts.includes('given')
  return guardianOf(column ?? '')?.part === 'name' && !isWholeToo
}

/** Where a column stands among the parts of a name, and how many these are. */
export interface NamePlace {
  readonly place: number
  readonly of: number
}

const orders: Readonly<Record<NameOrder, readonly NamePart[]>> = {
  given_first: ['given', 'family', 'second'],
  family_first: ['family', 'second', 'given'],
}

/** The columns that are parts of a name that has several, by their places in the file. */
export function namePlaces(
  mapped: readonly Column[],
  header: readonly string[],
  order: NameOrder,
): ReadonlyMap<number, NamePlace> {
  const byColumn = Map.groupBy(mapped, ({ column }) => column ?? '')
  const found = [...byColumn].flatMap(([column, alike]) => {
    if (!areNameParts(alike, header)) return []
    const told = partsIn(alike, header)
    const lacking = told.includes('given') ? 'family' : 'given'
    const inOrder = orders[guardianOf(column) === undefined ? 'given_first' : order]
    const places = told.map((part) => inOrder.indexOf(part ?? lacking))
    return alike.map(({ at }, i) => [at, { place: places[i]!, of: alike.length }] as const)
  })
  return new Map(found)
}
