import type { Guardian } from '../students/record.ts'
import { uniqueKey } from '../text/normalise.ts'
import type { GuardianPart } from './columns.ts'
import { roleOf } from './guardian-words.ts'

/** What a row gives of a guardian. */
export type GivenParts = Readonly<Partial<Record<GuardianPart, string | null>>>

/**
 * Which of a student's guardians a row means: one of the same name, else of the same relation, else the one at that
 * place. So nobody's phone becomes another's where a file lists mother and father the other way round.
 * @param given by the number that the file gives, from 1; with the relation that a heading tells
 * @returns by the same number, the place in the list from 0; beyond its end: a new one, behind the others
 */
export function placesOf(
  guardians: readonly Guardian[],
  given: ReadonlyMap<number, GivenParts>,
): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  const isFree = (place: number) => ![...places.values()].includes(place)
  const settle = (matches: (parts: GivenParts, guardian: Guardian, isItsPlace: boolean) => boolean) => {
    for (const [number, parts] of given) {
      if (places.has(number)) continue
      const found = guardians.flatMap((guardian, place) =>
        isFree(place) && matches(parts, guardian, place === number - 1) ? [place] : [],
      )
      const place = found.includes(number - 1) ? number - 1 : found[0]
      if (place !== undefined) places.set(number, place)
    }
  }
  settle(({ name }, guardian) => typeof name === 'string' && uniqueKey(name) === uniqueKey(guardian.name))
  settle((parts, { relation }) => isRole(parts) && isSameRole(parts, relation))
  settle((parts, { relation }, isItsPlace) => isItsPlace && !(isRole(parts) && isOtherRole(parts, relation)))
  let next = guardians.length
  for (const number of [...given.keys()].sort((one, other) => one - other))
    if (!places.has(number)) places.set(number, next++)
  return places
}

function isRole({ relation }: GivenParts): boolean {
  return typeof relation === 'string' && roleOf(relation) !== undefined
}

function isSameRole({ relation }: GivenParts, other: string | null): boolean {
  return other !== null && roleOf(relation!) === roleOf(other)
}

function isOtherRole(parts: GivenParts, other: string | null): boolean {
  return other !== null && roleOf(other) !== undefined && !isSameRole(parts, other)
}
