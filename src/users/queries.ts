import { prepare } from '../db/prepare.ts'
import type { Db, Instant } from '../db/tables.ts'
import { updateRow } from '../db/versions.ts'
import { violatesUnique } from '../db/violations.ts'
import { changedFields } from '../events/changed-fields.ts'
import type { Tx } from '../events/log.ts'
import type { Author } from '../events/write.ts'
import { Problem } from '../problems.ts'
import { searchText } from '../text/search-words.ts'
import { originOf } from './origin.ts'

export interface NewUser {
  readonly name: string
  readonly email: string
  readonly passwordHash: string
  /** Whether the password is a first one that its owner must change. */
  readonly mustChangePassword?: boolean
}

/**
 * Makes an account, without any role, and keeps by whom or from where. @returns its id
 * @throws Problem email_taken, as the unique index decides
 */
export async function insertUser(
  tx: Tx,
  by: Author,
  { name, email, passwordHash, mustChangePassword = false }: NewUser,
  now: Instant,
): Promise<number> {
  try {
    const { id } = await tx
      .insertInto('users')
      .values({
        name,
        email,
        password_hash: passwordHash,
        password_change_required: mustChangePassword ? 1 : 0,
        search_text: searchText(name, email),
        created_at: now,
        updated_at: now,
        idle_since: now,
        created_by: originOf(by),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const secrets = { name: [null, name], email: [null, email] } as const
    tx.record({ record: 'account', id, action: 'created', at: now, fields: {}, secrets })
    return id
  } catch (error) {
    throw violatesUnique(error, 'users.email') ? emailTaken(error) : error
  }
}

function emailTaken(cause: unknown): Problem {
  return new Problem(
    'email_taken',
    'An account with this e-mail address exists; log in with it, or give another address.',
    { errors: [{ pointer: '/email', code: 'taken', detail: 'is the address of another account' }], cause },
  )
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

const selectByEmail = prepare<{ email: string }, UserRow>((db, { email }) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'password_hash', 'disabled_at', 'password_change_required'])
    .where('email', '=', email),
)

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  if (email.includes('\0')) return undefined // nobody's, and PostgreSQL takes no such text
  return (await selectByEmail(db, { email }))[0]
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

/** Notes a login. The version of the account stays. */
export async function updateIdleSince(db: Db, id: number, now: Instant): Promise<void> {
  await db.updateTable('users').set({ idle_since: now }).where('id', '=', id).execute()
}

/** Puts another hash of the same password in place. */
export async function updatePasswordHash(
  db: Db,
  id: number,
  passwordHash: string,
  now: Instant,
): Promise<void> {
  await updateRow(db, 'users', id, { password_hash: passwordHash }, now)
}

/** Disables or enables an account. The caller must end its sessions. */
export async function updateDisabled(tx: Tx, id: number, disabled: boolean, now: Instant): Promise<void> {
  const fields = { disabled: [!disabled, disabled] } as const
  tx.record({ record: 'account', id, action: 'changed', at: now, fields })
  await updateRow(tx, 'users', id, { disabled_at: disabled ? now : null }, now)
}

/** The new password of an account. `mustChange`: it is a first one that its owner must change. */
interface SetPassword {
  readonly hash: string
  readonly mustChange: boolean
}

/** Sets a new password. The caller must end the account's sessions afterwards. */
export async function updatePassword(
  db: Db,
  id: number,
  { hash, mustChange }: SetPassword,
  now: Instant,
): Promise<void> {
  const columns = { password_hash: hash, password_change_required: mustChange ? 1 : 0 }
  await updateRow(db, 'users', id, columns, now)
}

/** The name and the address of an account, and whether it may log in. */
interface UserContent {
  readonly name: string
  readonly email: string
  readonly disabled: boolean
}

/**
 * Changes an account, from what it was to what it is to be.
 * @throws Problem email_taken, as the unique index decides
 */
export async function updateUser(
  tx: Tx,
  before: UserContent & { readonly id: number },
  after: UserContent,
  now: Instant,
): Promise<void> {
  const { id } = before
  const { name, email, disabled } = after
  const fields = changedFields(['disabled'], before, after)
  const secrets = changedFields(['name', 'email'], before, after)
  tx.record({ record: 'account', id, action: 'changed', at: now, fields, secrets })
  const switched = disabled !== before.disabled && { disabled_at: disabled ? now : null }
  const columns = { name, email, search_text: searchText(name, email), ...switched }
  try {
    await updateRow(tx, 'users', id, columns, now)
  } catch (error) {
    throw violatesUnique(error, 'users.email') ? emailTaken(error) : error
  }
}
