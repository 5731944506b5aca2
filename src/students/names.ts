import type { Db } from '../db/tables.ts'
import { invalidField } from '../problems.ts'
import { type NameOrder, nameOrderOf } from '../school/name-order.ts'
import { codePoints } from '../text/normalise.ts'

/** The parts of a name, as far as they are given. */
export interface NameParts {
  readonly given_name?: string | null
  readonly family_name?: string | null
}

/** What of a student says how it is called. `name_joined` is 1 where `name` is joined from the parts. */
interface Named extends NameParts {
  readonly name: string
  readonly name_joined: number
}

const maxLength = 255

/**
 * A student with the name that is given, or else with the one that its parts make. A name is never split.
 * @throws Problem validation_failed when there is neither, or the parts make too long a name
 */
export async function withName<Given extends NameParts & { readonly name?: string }>(
  db: Db,
  given: Given,
): Promise<Given & Named> {
  const isJoined = given.name === undefined
  return named(isJoined ? await nameOrderOf(db) : 'given_first', given)
}

/** The same, in a known order. */
export function named<Given extends NameParts & { readonly name?: string }>(
  order: NameOrder,
  given: Given,
): Given & Named {
  if (given.name !== undefined) return { ...given, name: given.name, name_joined: 0 }
  return { ...given, name: joinedName(order, given), name_joined: 1 }
}

/**
 * What a patch means for a name that was joined: another part rebuilds it, and a name that is given ends that. What is
 * given as it is there means nothing.
 * @throws Problem validation_failed when no part is left, or the parts make too long a name
 */
export async function rejoined(db: Db, row: Named, patch: Partial<Named>): Promise<Partial<Named>> {
  return renamed(row.name_joined === 0 ? 'given_first' : await nameOrderOf(db), row, patch)
}

/** The same, in a known order. */
export function renamed(order: NameOrder, row: Named, patch: Partial<Named>): Partial<Named> {
  if (row.name_joined === 0) return {}
  const after = { ...row, ...patch }
  const isSame = (['name', 'given_name', 'family_name'] as const).every((one) => after[one] === row[one])
  if (isSame) return {}
  if (patch.name !== undefined) return { name_joined: 0 }
  const name = joinedName(order, after)
  return name === row.name ? {} : { name }
}

function joinedName(order: NameOrder, { given_name, family_name }: NameParts): string {
  const inOrder = order === 'given_first' ? [given_name, family_name] : [family_name, given_name]
  const name = inOrder.filter((part) => part).join(' ')
  if (name === '') {
    throw invalidField('/name', {
      code: 'required',
      detail: 'is required; given_name or family_name would do',
    })
  }
  if (codePoints(name) <= maxLength) return name
  const detail = `must have at most ${maxLength} characters; it is joined from given_name and family_name`
  throw invalidField('/name', { code: 'too_long', detail, params: { limit: maxLength } })
}
