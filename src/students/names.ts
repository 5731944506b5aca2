import type { Db } from '../db/tables.ts'
import { invalidField } from '../problems.ts'
import { type NameOrder, nameOrderOf, nameOrders } from '../school/name-order.ts'
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
 * given as it is there means nothing. A name that was given, and is but its parts in one order, follows them in that.
 * @throws Problem validation_failed when no part is left of a joined name, or the parts make too long a name
 */
export async function rejoined(db: Db, row: Named, patch: Partial<Named>): Promise<Partial<Named>> {
  return renamed(row.name_joined === 0 ? 'given_first' : await nameOrderOf(db), row, patch)
}

/** The same, in a known order. */
export function renamed(order: NameOrder, row: Named, patch: Partial<Named>): Partial<Named> {
  const after = { ...row, ...patch }
  if (row.name_joined === 0) return followed(row, after, patch)
  const isSame = (['name', 'given_name', 'family_name'] as const).every((one) => after[one] === row[one])
  if (isSame) return {}
  if (patch.name !== undefined) return { name_joined: 0 }
  const name = joinedName(order, after)
  return name === row.name ? {} : { name }
}

function followed(row: Named, after: NameParts, { name: given }: Partial<Named>): Partial<Named> {
  const order = nameOrders.find((one) => inOrder(one, row) === row.name)
  const hasParts = Boolean(after.given_name || after.family_name)
  if (given !== undefined || order === undefined || !hasParts) return {}
  const name = joinedName(order, after)
  return name === row.name ? {} : { name }
}

function inOrder(order: NameOrder, { given_name, family_name }: NameParts): string {
  const parts = order === 'given_first' ? [given_name, family_name] : [family_name, given_name]
  return parts.filter((part) => part).join(' ')
}

function joinedName(order: NameOrder, parts: NameParts): string {
  const name = inOrder(order, parts)
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
