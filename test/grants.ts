import type { Permission } from '../src/access/permissions.ts'
import { deleteSessionsOf } from '../src/access/sessions.ts'
import type { Db } from '../src/db/tables.ts'
import type { Tx } from '../src/events/log.ts'
import { write } from '../src/events/write.ts'
import { getAccount } from '../src/users/accounts.ts'
import { updateDisabled } from '../src/users/queries.ts'
import { byTest, type Person, type School } from './school.ts'

/** What an account is to hold: some permissions, for some classes or for all. */
export type Holding = readonly [held: readonly Permission[], classes: 'all' | readonly number[]]

/** Gives an account one more role for each, with just these permissions. */
export async function grant(school: School, { id }: Person, ...holdings: Holding[]): Promise<void> {
  const now = school.now().toISOString()
  await write(school.db, byTest, async (db) => {
    for (const [held, classes] of holdings) {
      const role = await db
        .insertInto('roles')
        .values({ name: `of ${id} ${crypto.randomUUID()}`, built_in: 0, created_at: now, updated_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      for (const permission of held)
        await db.insertInto('role_permissions').values({ role_id: role.id, permission }).execute()
      const ofRole = { user_id: id, role_id: role.id }
      const all_classes = classes === 'all' ? 1 : 0
      await db
        .insertInto('user_roles')
        .values({ ...ofRole, granted_at: now, all_classes })
        .execute()
      for (const class_id of classes === 'all' ? [] : classes)
        await db
          .insertInto('user_role_classes')
          .values({ ...ofRole, class_id })
          .execute()
    }
  })
}

/** The names of the roles that an account holds, in the order of their ids. */
export async function rolesOf(school: School, userId: number): Promise<string[]> {
  const { account } = await getAccount(school.db, userId)
  return account.roles.map(({ role }) => role)
}

/** Takes every role from an account. */
export async function revokeAll(school: School, { id }: Person): Promise<void> {
  await write(school.db, byTest, (db) => deleteAllGrants(db, id))
}

async function deleteAllGrants(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('user_role_classes').where('user_id', '=', userId).execute()
  await db.deleteFrom('user_roles').where('user_id', '=', userId).execute()
}

/** What may befall who asked for a change, while the change waits; and how it is refused then. */
export const endings: Record<
  string,
  { readonly end: (db: Tx, person: Person) => Promise<unknown>; readonly refusal: [number, string] }
> = {
  'loses the role': { end: (db, { id }) => deleteAllGrants(db, id), refusal: [403, 'permission_denied'] },
  'logs out': { end: (db, { id }) => deleteSessionsOf(db, id), refusal: [401, 'token_invalid'] },
  'is disabled': {
    end: (db, { id }) => updateDisabled(db, id, true, '2026-09-01T08:00:00.000Z'),
    refusal: [401, 'token_invalid'],
  },
}

/** An account that is logged in and holds just these. */
export async function personHolding(school: School, ...holdings: Holding[]): Promise<Person> {
  const person = await school.person()
  await grant(school, person, ...holdings)
  return person
}
