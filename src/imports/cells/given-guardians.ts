import { guardianParts } from '../../exports/headings.ts'
import type { NameOrder } from '../../school/name-order.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { type GuardianPart, guardianColumn, plannedGuardianOf } from '../columns/guardian-columns.ts'
import type { PlannedCell } from '../model.ts'
import { faulty } from './faulty.ts'
import type { ParsedStudent } from './flat-student.ts'
import { type GuardianInRow, meantGuardians } from './guardian-places.ts'
import { weighed } from './joined-addresses.ts'
import type { CellValue, GivenRow, RowValues } from './row-values.ts'

/** What a row gives of a student's guardians, by the columns of the record, and what is wrong with it. */
interface GivenGuardians {
  readonly values: readonly (readonly [column: string, value: CellValue])[]
  /** By the columns of the file. */
  readonly faults: readonly PlannedCell[]
}

/**
 * Finds whom a row means. A guardian who is not there yet is a new one, behind the others. Whom the row names twice is
 * one, where nothing tells two apart: a `Tutor legal` is most often the mother or the father.
 */
export function givenGuardians(
  { row, guardians }: ParsedStudent,
  given: GivenRow,
  { implied = {}, partial = {} }: Pick<RowValues, 'implied' | 'partial'>,
  order: NameOrder,
): GivenGuardians {
  const byNumber = partsByNumber(given, implied)
  if (byNumber.size === 0) return { values: [], faults: [] }
  const values: [string, CellValue][] = []
  const faults: PlannedCell[] = []
  const named: Named[] = []
  let next = guardians.length
  const meant = meantGuardians(guardians, byNumber, { order, surname: row?.family_name ?? row?.name ?? '' })
  for (const [ofFile, { parts: given, relation, called }] of byNumber) {
    const of = meant.get(ofFile)!
    const parts = of === 'new' && called ? { name: called, ...given } : given
    const fault = (code: 'required' | 'unsure_guardian', detail: string) =>
      faults.push({ column: guardianColumn(ofFile, 'name'), code, detail })
    if (of === 'nobody' || (of === 'new' && called === null)) continue
    if (of === 'unsure') fault('unsure_guardian', unsure)
    else if (of === 'new' && typeof parts.name !== 'string') fault('required', 'is required')
    else {
      const one = { name: given.name, relation, parts }
      const same = of === 'new' ? named.find((other) => areOne(one, other)) : undefined
      const place = of === 'new' ? (same?.place ?? next++) : of
      named.push({ ...one, place })
      const told = isRelationTold(parts, relation, guardians[place]?.relation) ? { relation } : {}
      const address = guardianColumn(ofFile, 'address')
      const weight = weighed(partial[address], guardians[place]?.address ?? null)
      const ofName = partial[guardianColumn(ofFile, 'name')]
      const isNamed = same === undefined && weighed(ofName, guardians[place]?.name ?? null) === 'is given'
      if (typeof weight === 'object') faults.push(faulty(address, String(parts.address), weight))
      for (const [part, value = null] of Object.entries({ ...parts, ...told }))
        if (part === 'name' ? isNamed : part !== 'address' || weight === 'is given')
          values.push([guardianColumn(place + 1, part as GuardianPart), value])
    }
  }
  return { values, faults }
}

const unsure =
  'may be one of several guardians: give the name that stands in the record, or leave the column out'

/** Whom a row names, and at which place of the record that is. */
interface Named {
  readonly name: CellValue | undefined
  readonly relation: string | undefined
  readonly parts: GuardianInRow['parts']
  readonly place: number
}

/** Whether two names of a row are the same, and nothing else is given that differs. */
function areOne(one: Omit<Named, 'place'>, other: Named): boolean {
  if (typeof one.name !== 'string' || typeof other.name !== 'string') return false
  const differs = (part: GuardianPart) => {
    const [is, was] = [one, other].map(
      ({ parts, relation }) => parts[part] ?? (part === 'relation' ? relation : null),
    )
    return is && was && is !== was
  }
  return (
    uniqueKey(one.name) === uniqueKey(other.name) &&
    !guardianParts.some((part) => part !== 'name' && differs(part))
  )
}

interface GuardianDraft {
  readonly parts: Partial<Record<GuardianPart, CellValue>>
  relation?: string
  called?: string | null
}

/** In the order of the numbers. */
function partsByNumber(given: GivenRow, implied: GivenRow): ReadonlyMap<number, GuardianInRow> {
  const byNumber = new Map<number, GuardianDraft>()
  for (const column of Object.keys(given)) {
    const found = plannedGuardianOf(column)
    if (found === undefined) continue
    const one = byNumber.get(found.number) ?? { parts: {} }
    byNumber.set(found.number, one)
    one.parts[found.part] = given[column]!
  }
  for (const [column, told] of Object.entries(implied)) {
    const found = plannedGuardianOf(column)
    const one = found && byNumber.get(found.number)
    if (one === undefined) continue
    if (found?.part === 'name') one.called = told as string | null
    else one.relation = told as string
  }
  return new Map([...byNumber].sort(([one], [other]) => one - other))
}

/** Whether the relation in a heading is to stand in the record: neither tells another. */
function isRelationTold(
  parts: GuardianInRow['parts'],
  relation: string | undefined,
  known: string | null | undefined,
): boolean {
  const hasValue = Object.values(parts).some((value) => value !== null)
  return relation !== undefined && parts.relation === undefined && !known && hasValue
}
