import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import type { AuthenticatedCaller } from '../http/context.ts'
import { routeOf } from '../http/requests.ts'
import { Problem } from '../problems.ts'
import type { Clock } from './clock.ts'
import { instantAfter } from './clock.ts'

/** How long a key stands for what was created with it, in milliseconds. */
const keptMs = 24 * 60 * 60_000

/** What a request that creates is told apart by, and what asks for it once. */
export interface Creation {
  readonly caller: AuthenticatedCaller
  /** The value of `Idempotency-Key`, if the request has one. */
  readonly key: string | undefined
  /** What is asked for: method, path, query and body, as the route reads them; nothing where there is no key. */
  readonly asked: string
}

/**
 * Reads the request's `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a string in quotes, or as it is.
 * @param secrets members of the body that requests are not told apart by: a fingerprint that is made of a password
 * is guessed far faster than the password's hash
 * @throws Problem malformed_request when it is neither
 */
export function creationOf(request: FastifyRequest, secrets: readonly string[] = []): Creation {
  const header = request.headers['idempotency-key']
  const caller = request.caller!
  if (header === undefined) return { caller, key: undefined, asked: '' }
  const key = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/.exec(String(header))
  if (key === null) {
    throw new Problem(
      'malformed_request',
      'Idempotency-Key must be one string of 1 to 255 visible ASCII characters, in quotes or without.',
    )
  }
  const { method, params, query, body } = request
  const read = JSON.stringify({ params, query, body }, (name, value) =>
    secrets.includes(name) ? undefined : value,
  )
  return { caller, key: key[1] ?? key[2], asked: `${method} ${routeOf(request).url}\n${read}` }
}

/**
 * Creates a record in a write, once: a request that comes again with the same key within a day gets the same id,
 * and nothing is created. The key's row stands in the write's own transaction, so one in flight is waited for.
 * @param work creates the record and returns its id
 * @throws Problem idempotency_key_reused when the key came with another request
 */
export async function createOnce(
  db: Db,
  clock: Clock,
  { caller, key, asked }: Creation,
  work: (db: Db) => Promise<number>,
): Promise<number> {
  if (key === undefined) return write(db, caller, work)
  return write(db, caller, async (db) => {
    const now = clock()
    const { idempotency_secret } = await db
      .selectFrom('platform')
      .select('idempotency_secret')
      .executeTakeFirstOrThrow()
    const fingerprint = createHmac('sha256', idempotency_secret).update(asked).digest()
    const ofCaller = { user_id: caller.userId, key }
    await db
      .deleteFrom('idempotency_keys')
      .where('user_id', '=', caller.userId)
      .where('key', '=', key)
      .where('created_at', '<=', instantAfter(now, -keptMs))
      .execute()
    // On PostgreSQL this waits for another transaction that has the key; on SQLite there is none.
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('idempotency_keys')
      .values({ ...ofCaller, fingerprint, record_id: 0, created_at: now.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) return createdBefore(db, ofCaller, fingerprint)
    const id = await work(db)
    await db
      .updateTable('idempotency_keys')
      .set({ record_id: id })
      .where('user_id', '=', caller.userId)
      .where('key', '=', key)
      .execute()
    return id
  })
}

async function createdBefore(
  db: Db,
  { user_id, key }: { user_id: number; key: string },
  fingerprint: Buffer,
): Promise<number> {
  const before = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'record_id'])
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (fingerprint.equals(before.fingerprint)) return before.record_id
  throw new Problem(
    'idempotency_key_reused',
    'This Idempotency-Key came with another request; make a new key for each record that is to be created.',
  )
}

/** Removes a thousand keys of more than a day ago at most. @returns whether there may be more */
export async function deleteOldKeys(db: Db, now: Date): Promise<boolean> {
  const atMost = 1_000
  const old = await db
    .selectFrom('idempotency_keys')
    .select(['user_id', 'key'])
    .where('created_at', '<=', instantAfter(now, -keptMs))
    .limit(atMost)
    .execute()
  for (const { user_id, key } of old)
    await db.deleteFrom('idempotency_keys').where('user_id', '=', user_id).where('key', '=', key).execute()
  return old.length === atMost
}
