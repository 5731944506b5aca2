import { Problem } from '../problems.ts'
import type { NameOrder } from '../school/name-order.ts'
import { type NameParts, named } from '../students/names.ts'
import type { StudentRow } from '../students/record.ts'
import { keep, type Revertible } from './undoing.ts'

const ofName = ['name', 'name_joined', 'given_name', 'family_name'] as const

/**
 * Keeps a joined name that of its parts, whatever these are by now: it follows a part that goes back. Whether it is
 * joined goes back with the name alone. What would leave no name stays.
 */
export function keepNameJoined(order: NameOrder, row: StudentRow, { back, kept }: Revertible): void {
  if ('name_joined' in back) {
    if (kept.includes('name')) keep('name_joined', { back, kept })
    else back.name_joined ??= 0
  }
  const { name_joined, given_name, family_name } = { ...row, ...back } as StudentRow
  const isPart = 'given_name' in back || 'family_name' in back
  // A name that goes back where it always was joined is that of the parts: each change of one changes it.
  const isOfParts = 'name' in back || !isPart
  if (name_joined !== 1 || (isOfParts && !('name_joined' in back))) return
  const name = nameOf(order, { given_name, family_name })
  if (name === undefined) for (const one of ofName) keep(one, { back, kept })
  else if (name !== row.name || 'name' in back) back.name = name
  if ('name' in back && kept.includes('name')) kept.splice(kept.indexOf('name'), 1)
}

/** @returns undefined where the parts make no name, or too long a one */
function nameOf(order: NameOrder, parts: NameParts): string | undefined {
  try {
    return named(order, parts).name
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
