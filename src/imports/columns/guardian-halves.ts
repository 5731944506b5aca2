import type { NameOrder } from '../../school/name-order.ts'
import type { MappedColumn } from './column-mapping.ts'
import { guardianOf } from './guardian-columns.ts'
import { guardianHeading } from './guardian-words.ts'

/* Names of guardians in two columns: `Nom mère` and `Prénom mère`. */

type Column = Pick<MappedColumn, 'at' | 'column'>

/** Whether two columns are the halves of one guardian's name: the heading of one says which half, and the other's differs. */
export function areHalves(alike: readonly Column[], header: readonly string[]): boolean {
  if (alike.length !== 2 || guardianOf(alike[0]!.column ?? '')?.part !== 'name') return false
  const [one, other] = alike.map(({ at }) => guardianHeading(header[at] ?? '')?.half)
  return one !== other
}

/** The places of the columns whose text comes first in a guardian's name that has two. */
export function firstHalves(
  mapped: readonly Column[],
  header: readonly string[],
  order: NameOrder,
): ReadonlySet<number> {
  const byColumn = [...Map.groupBy(mapped, ({ column }) => column ?? '').values()]
  const isFamily = ([one, other]: readonly Column[]) => {
    const [half, otherHalf] = [one!, other!].map(({ at }) => guardianHeading(header[at] ?? '')?.half)
    return half === 'family' || otherHalf === 'given'
  }
  const pairs = byColumn.filter((alike) => areHalves(alike, header))
  return new Set(
    pairs.map((pair) => {
      const [family, given] = isFamily(pair) ? pair : pair.toReversed()
      return (order === 'given_first' ? given : family)!.at
    }),
  )
}
