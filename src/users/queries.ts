import type { Db, Instant } from '../db/tables.ts'
import { violatesUnique } from '../db/violations.ts'
import type { Author } from '../events/write.ts'
import { Problem } from '../problems.ts'
import { searchText } from '../text/search-words.ts'

export interface NewUser {
  readonly name: string
  readonly email: string
  readonly passwordHash: string
}

/**
 * Makes an account, without any role. @returns its id
 * @throws Problem email_taken, as the unique index decides
 */
export async function insertUser(
  db: Db,
  _by: Author,
  { name, email, passwordHash }: NewUser,
  now: Instant,
): Promise<number> {
  try {
    const { id } = await db
      .insertInto('users')
      .values({
        name,
        email,
        password_hash: passwordHash,
        search_text: searchText(name, email),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  } catch (error) {
    if (violatesUnique(error, 'users.email')) {
      throw new Problem(
        'email_taken',
        'An account with this e-mail address exists; log in, or register another address.',
        {
          errors: [{ pointer: '/email', code: 'taken', detail: 'is the address of another account' }],
          cause: error,
        },
      )
    }
    throw error
  }
}

export interface UserRow {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly password_hash: string
  readonly disabled_at: Instant | null
  /** 1 while the account has a password that an administrator set. */
  readonly password_change_required: number
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  if (email.includes('\0')) return undefined // nobody's, and PostgreSQL takes no such text
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'password_hash', 'disabled_at', 'password_change_required'])
    .where('email', '=', email)
    .executeTakeFirst()
}

/** Holds an active account's row until the transaction ends, and reads it. */
export async function lockActiveUser(
  db: Db,
  id: number,
): Promise<Pick<UserRow, 'password_hash'> | undefined> {
  return db
    .updateTable('users')
    .set((q) => ({ version: q.ref('version') }))
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .returning('password_hash')
    .executeTakeFirst()
}

export async function updatePasswordHash(
  db: Db,
  _by: Author,
  id: number,
  passwordHash: string,
  now: Instant,
): Promise<void> {
  await db
    .updateTable('users')
    .set((q) => ({ password_hash: passwordHash, updated_at: now, version: q('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Disables or enables an account. Its sessions are the caller's to end. */
export async function updateDisabled(
  db: Db,
  _by: Author,
  id: number,
  disabled: boolean,
  now: Instant,
): Promise<void> {
  await db
    .updateTable('users')
    .set((q) => ({ disabled_at: disabled ? now : null, updated_at: now, version: q('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export interface ListedUser {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly disabled: boolean
  readonly roles: string[]
}

/** Every account with its roles, in two statements whatever their number. */
export async function findUsers(db: Db): Promise<ListedUser[]> {
  const users = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'disabled_at'])
    .orderBy('id')
    .execute()
  const grants = await db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select(['user_roles.user_id', 'roles.name'])
    .orderBy('roles.id')
    .execute()
  const rolesOf = Map.groupBy(grants, ({ user_id }) => user_id)
  return users.map(({ disabled_at, ...user }) => ({
    ...user,
    disabled: disabled_at !== null,
    roles: (rolesOf.get(user.id) ?? []).map(({ name }) => name),
  }))
}
