import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { perDatabase } from '../db/per-database.ts'
import type { Db } from '../db/tables.ts'
import { Problem } from '../problems.ts'

/** Holds the platform's one row until the transaction ends: what must be decided once is decided in turn. */
export async function lockPlatform(db: Db): Promise<void> {
  await db
    .updateTable('platform')
    .set((q) => ({ administrator_since: q.ref('administrator_since') }))
    .where('id', '=', 1)
    .execute()
}

/** The built-in role that the platform never is without. */
export const administratorRole = 'administrator'

/**
 * Holds the platform's row, so that of two who take each other's role away at once the second sees the first.
 * @throws Problem last_administrator when no other active account is administrator
 */
export async function keepAnAdministrator(db: Db, userId: number): Promise<void> {
  await lockPlatform(db)
  const administrators = await db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .innerJoin('users', 'users.id', 'user_roles.user_id')
    .select('users.id')
    .where('roles.name', '=', administratorRole)
    .where('roles.built_in', '=', 1)
    .where('user_roles.all_classes', '=', 1)
    .where('users.disabled_at', 'is', null)
    .execute()
  if (administrators.length === 1 && administrators[0]!.id === userId) {
    throw new Problem(
      'last_administrator',
      'This account is the last active administrator. Make another one first.',
    )
  }
}

const secrets = perDatabase<KeyObject>()

/** The platform's secret. It is made with the database and never changes, so it is read once. */
async function secretOf(db: Db): Promise<KeyObject> {
  const kept = secrets.get(db)
  if (kept !== undefined) return kept
  const { idempotency_secret } = await db
    .selectFrom('platform')
    .select('idempotency_secret')
    .executeTakeFirstOrThrow()
  const secret = createSecretKey(idempotency_secret)
  secrets.set(db, secret)
  return secret
}

/** A hash that nobody makes without this platform's secret. */
export async function keyedHash(db: Db, text: string): Promise<Buffer> {
  return createHmac('sha256', await secretOf(db))
    .update(text)
    .digest()
}
