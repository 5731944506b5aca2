import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { countOf } from '../db/pages.ts'
import type { Db, Instant } from '../db/tables.ts'
import { lockPlatform } from './platform.ts'

/** An HMAC key and the `kid` (RFC 7515 §4.1.4) that names it in a token's header. */
export interface SigningKey {
  readonly kid: string
  readonly secret: Uint8Array
}

/** The key that `TOKEN_SECRET` sets. The same secret has the same `kid` on every instance. */
export function keyFromSecret(tokenSecret: string): SigningKey {
  const secret = Buffer.from(tokenSecret, 'utf8')
  return {
    kid: `env-${createHash('sha256').update('kid').update(secret).digest('hex').slice(0, 16)}`,
    secret,
  }
}

/** All keys that may verify, the newest first: the newest signs. */
export async function findSigningKeys(db: Db): Promise<SigningKey[]> {
  return db
    .selectFrom('signing_keys')
    .select(['kid', 'secret'])
    .orderBy('created_at', 'desc')
    .orderBy('kid', 'desc')
    .execute()
}

/** Makes the first key, unless one is there: of instances that start at once, one makes it. */
export async function ensureSigningKey(db: Db, now: Instant): Promise<void> {
  await lockPlatform(db)
  if ((await countOf(db.selectFrom('signing_keys'))) === 0) await insertSigningKey(db, now)
}

/** Makes a key that signs from now on; the older ones go on verifying. @returns its `kid` */
export async function insertSigningKey(db: Db, now: Instant): Promise<string> {
  const kid = randomUUID()
  await db
    .insertInto('signing_keys')
    .values({ kid, secret: randomBytes(32), created_at: await newestInstant(db, now) })
    .execute()
  return kid
}

/** Now, or just after the newest key where the clock was set back: the newest signs. */
async function newestInstant(db: Db, now: Instant): Promise<Instant> {
  const newest = await db
    .selectFrom('signing_keys')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest && newest.created_at >= now ? new Date(Date.parse(newest.created_at) + 1).toISOString() : now
}

/** Removes every key but this one: what they signed is dead. */
export async function deleteOtherSigningKeys(db: Db, kid: string): Promise<void> {
  await db.deleteFrom('signing_keys').where('kid', '!=', kid).execute()
}

/**
 * Removes the keys that no living token can have been signed with: a key whose successor is older than a
 * token lives.
 */
export async function deleteSpentKeys(db: Db, bornBefore: Instant): Promise<void> {
  const successor = await db
    .selectFrom('signing_keys')
    .select('created_at')
    .where('created_at', '<', bornBefore)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (successor) await db.deleteFrom('signing_keys').where('created_at', '<', successor.created_at).execute()
}
