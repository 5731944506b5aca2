import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { routeOf } from '../http/requests.ts'
import { Problem } from '../problems.ts'
import type { Authority, Caller } from './authority.ts'
import type { Clock } from './clock.ts'
import { instantAfter } from './clock.ts'
import { type Bucket, lockCounters, requireRoom, setCounters } from './counters.ts'
import { callerOf } from './guard.ts'
import { keyedHash } from './platform.ts'

/** How long a key stands for what was created with it, in milliseconds. */
const keptMs = 24 * 60 * 60_000

const newKeysOfAccount: Bucket = { capacity: 10_000, periodMs: keptMs }

/** What identifies a request that creates: caller, key and content. */
interface Creation {
  readonly caller: Caller
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
  const caller = callerOf(request)
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
 * @param work creates the record and returns its id; `isLast` tells it whether nothing is written after it
 * @param lock as `write` has it
 * @throws Problem idempotency_key_reused when the key came with another request, too_many_attempts when the account has
 * made as many keys as it may for now
 */
export async function createOnce(
  db: Db,
  clock: Clock,
  { caller, key, asked }: Creation,
  work: (tx: Tx, authority: Authority, isLast: boolean) => Promise<number>,
  lock?: (db: Db) => Promise<unknown>,
): Promise<number> {
  if (key === undefined) {
    return write(db, caller, (tx, authority) => work(tx, authority, true), lock)
  }
  const ofCaller = { user_id: caller.userId, key }
  let claim: Claim
  const create = async (tx: Tx, authority: Authority) => {
    if (!claim.isNew) return createdBefore(tx, ofCaller, claim.fingerprint)
    await countNewKey(tx, caller.userId, clock())
    const id = await work(tx, authority, false)
    await tx
      .updateTable('idempotency_keys')
      .set({ record_id: id })
      .where('user_id', '=', caller.userId)
      .where('key', '=', key)
      .execute()
    return id
  }
  return write(db, caller, create, async (db) => {
    claim = await claimKey(db, ofCaller, asked, clock())
    await lock?.(db)
  })
}

type OfCaller = { readonly user_id: number; readonly key: string }

interface Claim {
  readonly fingerprint: Buffer
  /** Whether nothing was created with this key yet. */
  readonly isNew: boolean
}

async function claimKey(db: Db, ofCaller: OfCaller, asked: string, now: Date): Promise<Claim> {
  const fingerprint = await keyedHash(db, asked)
  await db
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', ofCaller.user_id)
    .where('key', '=', ofCaller.key)
    .where('created_at', '<=', instantAfter(now, -keptMs))
    .execute()
  // On PostgreSQL this waits for another transaction that has the key; on SQLite there is none.
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('idempotency_keys')
    .values({ ...ofCaller, fingerprint, record_id: 0, created_at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return { fingerprint, isNew: numInsertedOrUpdatedRows !== 0n }
}

/** @throws Problem too_many_attempts */
async function countNewKey(db: Db, userId: number, now: Date): Promise<void> {
  const key = `creation:${userId}`
  const [counter] = await lockCounters(db, [key], now)
  const level = requireRoom(counter, newKeysOfAccount, now)
  await setCounters(db, now, [{ key, level: level + 1 }])
}

async function createdBefore(db: Db, { user_id, key }: OfCaller, fingerprint: Buffer): Promise<number> {
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
