import type { Guardian } from '../../students/record.ts'
import { uniqueKey } from '../../text/normalise.ts'
import type { GuardianPart } from '../columns/guardian-columns.ts'
import { roleOf } from '../columns/guardian-words.ts'
import { type Kinship, kinshipOf, type OfChild } from './guardian-names.ts'
import type { CellValue } from './row-values.ts'

/** What a row gives of a guardian. */
export interface GuardianInRow {
  readonly parts: Readonly<Partial<Record<GuardianPart, CellValue>>>
  /** What a heading such as "Mother's phone" says it is. Its number is only the order of the columns then. */
  readonly relation?: string | undefined
  /** What a new guardian is called, where the row has no name; null: nobody is made. */
  readonly called?: string | null | undefined
}

/** A guardian's place in the list, from 0; or a new one, none at all, or one of several. */
export type MeantGuardian = number | 'new' | 'nobody' | 'unsure'

/** @param place in the record, from 0; number: in the file, from 1 */
type Matches = (one: GuardianInRow, guardian: Guardian, place: number, number: number) => boolean

/**
 * Which of a student's guardians a row means. So nobody's phone becomes another's where a file lists mother and father the
 * other way round. What only a heading calls the mother's is never written over what stands there of somebody, and who
 * gets another name keeps nobody's address. Each rule is for those in the row, and among those of the record, whom the
 * rules before it left over; where it fits several, it is not sure:
 * 1. Of the same name; of several, one with whom all agrees.
 * 2. Of the same relation, in the same way.
 * 3. At the same place, unless the name shows that it is somebody else.
 * 4. Behind all places: anyone with whom all agrees.
 * 5. Named by a heading alone: the only one whose relation is not known.
 * 6. Who is left is new; nobody, where nothing is given.
 * @param given by the number that the file gives, from 1
 */
export function meantGuardians(
  guardians: readonly Guardian[],
  given: ReadonlyMap<number, GuardianInRow>,
  child: OfChild,
): ReadonlyMap<number, MeantGuardian> {
  if (guardians.length === 0)
    return new Map(Array.from(given, ([number, one]) => [number, isEmpty(one) ? 'nobody' : 'new']))
  if ([...given].every(([number, one]) => one.relation === undefined && isNamed(one, guardians[number - 1])))
    return new Map([...given.keys()].map((number) => [number, number - 1]))
  const meant = new Map<number, MeantGuardian>()
  const freePlaces = (matches: (guardian: Guardian, place: number) => boolean) => {
    const taken = new Set<unknown>(meant.values())
    return [...guardians.keys()].filter((place) => !taken.has(place) && matches(guardians[place]!, place))
  }
  /** @param isAny whether it does not matter which of several it is */
  const settle = (matches: Matches, isAny = false) => {
    for (const [number, one] of given) {
      if (meant.has(number)) continue
      const found = freePlaces((guardian, place) => matches(one, guardian, place, number))
      const isAtItsPlace = one.relation === undefined && found.includes(number - 1)
      if (isAtItsPlace) meant.set(number, number - 1)
      else if (found.length > 0) meant.set(number, isAny || found.length === 1 ? found[0]! : 'unsure')
    }
  }
  settle((one, guardian) => isSameName(one, guardian) && agrees(one, guardian), true)
  settle(isSameName)
  settle((one, guardian) => isSameRole(one, guardian) && agrees(one, guardian), true)
  settle(isSameRole)
  for (const [number, one] of given) {
    const isLike = (guardian: Guardian) =>
      mayBeAtItsPlace(one, guardian) && kinship(one, guardian, child) === 'one'
    if (!meant.has(number) && freePlaces(isLike).length > 1) meant.set(number, 'unsure')
  }
  settle(
    (one, guardian, place, number) =>
      place === number - 1 && mayBeAtItsPlace(one, guardian) && !isAnother(one, guardian, child),
  )
  settle((one, guardian, _, number) => number > guardians.length && agrees(one, guardian), true)

  const isUnknown = ({ relation }: Guardian) => relation === null || roleOf(relation) === undefined
  settle((one, guardian) => isUnnamed(one) && isUnknown(guardian) && agrees(one, guardian))

  const left = [...given].filter(([number]) => !meant.has(number))
  const unnamed = left.filter(([, one]) => isUnnamed(one))
  const unknown = freePlaces(isUnknown)
  const [only] = unknown
  for (const [number, one] of unnamed) {
    if (only === undefined) continue
    if (unknown.length + unnamed.length > 2) meant.set(number, 'unsure')
    else if (isFreeFor(one, guardians[only]!)) meant.set(number, only)
    else meant.set(number, one.called === undefined ? 'unsure' : 'new')
  }
  for (const [number, one] of left) {
    if (meant.has(number)) continue
    const clearsAnother = one.relation === undefined && number <= guardians.length
    meant.set(number, !isEmpty(one) ? 'new' : clearsAnother ? 'unsure' : 'nobody')
  }
  return meant
}

function isNamed({ parts }: GuardianInRow, guardian: Guardian | undefined): boolean {
  return guardian !== undefined && parts.name === guardian.name
}

function isSameName({ parts: { name } }: GuardianInRow, guardian: Guardian): boolean {
  return typeof name === 'string' && uniqueKey(name) === uniqueKey(guardian.name)
}

/** Whether all that is given stands there already. */
function agrees({ parts }: GuardianInRow, guardian: Guardian): boolean {
  return Object.entries(parts).every(([part, value]) => guardian[part as GuardianPart] === value)
}

function hasName({ parts: { name } }: GuardianInRow): boolean {
  return typeof name === 'string'
}

/** Whether only a heading says who it is. */
function isUnnamed(one: GuardianInRow): boolean {
  return one.relation !== undefined && !hasName(one) && !isEmpty(one)
}

/** Whether nothing that stands there would be another's: each part that is given is new, or the same. */
function isFreeFor({ parts }: GuardianInRow, guardian: Guardian): boolean {
  return Object.entries(parts).every(([part, value]) => {
    const known = guardian[part as GuardianPart]
    return value === null || known === null || known === value
  })
}

function kinship(
  { parts: { name } }: GuardianInRow,
  guardian: Guardian,
  child: OfChild,
): Kinship | undefined {
  return typeof name === 'string' ? kinshipOf(guardian.name, name, child) : undefined
}

/** What shows that two names are of one person: a family may have one telephone. */
const proofs: Readonly<Record<Exclude<Kinship, 'one'>, readonly ('phone' | 'email')[]>> = {
  unlike: ['phone', 'email'],
  kin: ['email'],
  two: [],
}

/** Whether another name stands for another person, of whom something would be that is not theirs. */
function isAnother(one: GuardianInRow, guardian: Guardian, child: OfChild): boolean {
  const { parts } = one
  const found = kinship(one, guardian, child)
  if (found === undefined || found === 'one') return false
  const isProved = proofs[found].some((part) => guardian[part] !== null && parts[part] === guardian[part])
  const stays = (['relation', 'phone', 'email', 'address', 'note'] as const).some(
    (part) => guardian[part] !== null && typeof parts[part] !== 'string',
  )
  return !isProved && stays
}

function isEmpty({ parts }: GuardianInRow): boolean {
  return Object.values(parts).every((value) => value === null)
}

function roleIn({ parts, relation: told }: GuardianInRow) {
  const relation = told ?? parts.relation
  return typeof relation === 'string' ? roleOf(relation) : undefined
}

/** A number with another name and the same relation is somebody else. */
function isSameRole(one: GuardianInRow, { relation }: Guardian): boolean {
  if (one.relation === undefined && hasName(one)) return false
  const role = roleIn(one)
  return role !== undefined && relation !== null && roleOf(relation) === role
}

/** Whether it may be the one whose number is given: not where only headings give it, or another relation. */
function mayBeAtItsPlace(one: GuardianInRow, { relation }: Guardian): boolean {
  if (one.relation !== undefined) return false
  const [role, other] = [roleIn(one), relation === null ? undefined : roleOf(relation)]
  return role === undefined || other === undefined || role === other
}
