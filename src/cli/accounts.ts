import type { Db } from '../db/tables.ts'
import { textFormats } from '../text/formats.ts'
import type { Grant } from '../users/accounts.ts'
import { findUserByEmail, type UserRow } from '../users/queries.ts'
import { CommandError, type CommandInput } from './command.ts'

/** The account that EMAIL names, the first argument. @throws CommandError */
export async function getNamedAccount(
  db: Db,
  { arguments: [given = ''] }: Pick<CommandInput, 'arguments'>,
): Promise<UserRow> {
  const email = textFormats.email.normalise(given)
  const user = await findUserByEmail(db, email)
  if (user) return user
  throw new CommandError(`There is no account ${email}; ./registrar.js user list lists them.`)
}

/** The names of the roles that are held. */
export const namesOf = (grants: readonly Grant[]) => grants.map(({ role }) => role)

/** `administrator`, or `viewer (classes 3, 5)` where it is held for these alone. */
export const listOf = (grants: readonly Pick<Grant, 'role' | 'class_ids'>[]) =>
  grants.map(({ role, class_ids }) => (class_ids ? `${role} (${classesOf(class_ids)})` : role)).join(', ')

const classesOf = (ids: readonly number[]) => `${ids.length === 1 ? 'class' : 'classes'} ${ids.join(', ')}`
