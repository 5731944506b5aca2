import { guardianParts } from '../../exports/headings.ts'
import { mostGuardians } from '../../students/list-members.ts'

export type GuardianPart = (typeof guardianParts)[number]

/** Which guardian, from 1, and which part a column holds. */
interface GuardianColumn {
  readonly number: number
  readonly part: GuardianPart
}

/** The name of a guardian's column. */
export function guardianColumn(number: number, part: GuardianPart): string {
  return `guardian_${number}_${part}`
}

/** Of as many as a student has, and as many that a row may add before it is refused. */
const all: ReadonlyMap<string, GuardianColumn> = new Map(
  Array.from({ length: 2 * mostGuardians }, (_, place) => place + 1).flatMap((number) =>
    guardianParts.map((part) => [guardianColumn(number, part), { number, part }] as const),
  ),
)

/** Which guardian and part a column of a file holds; undefined: it holds none. */
export function guardianOf(name: string): GuardianColumn | undefined {
  const found = all.get(name)
  return found !== undefined && found.number <= mostGuardians ? found : undefined
}

/** The same of a change that is planned: a row may add more guardians than there may be, and is refused then. */
export function plannedGuardianOf(column: string): GuardianColumn | undefined {
  return all.get(column)
}
