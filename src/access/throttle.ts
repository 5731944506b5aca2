import { hash } from 'node:crypto'
import type { Db } from '../db/tables.ts'
import { clientOf, siteOf } from './clients.ts'
import {
  type Bucket,
  failuresIn,
  findCounters,
  lockCounters,
  requireNoWait,
  requireRoom,
  setCounters,
  type Waits,
  waitAfter,
} from './counters.ts'
import { isKnownPair, pairHashOf, rememberPair } from './known-pairs.ts'

/** Of one account from one client. */
const waitsOfPair: Waits = { freeFailures: 10, longestMs: 15 * 60_000 }
/** Of one account from anywhere: the hundredth failure in a row is the first to bring a wait (NIST SP 800-63B-4 §3.2.2). */
const waitsOfAccount: Waits = { freeFailures: 99, longestMs: 15 * 60_000 }

/** Failures from one site, of accounts that have not logged in from there before, and of those that have. */
const failuresOfStrangers: Bucket = { capacity: 300, periodMs: 600_000 }
const failuresOfKnown: Bucket = { capacity: 3_000, periodMs: 600_000 }

/** Who tries to log in, and from where; whether the account exists makes no difference. */
export interface LoginAttempt {
  readonly email: string
  readonly address: string
}

/** The pair of account and client that an attempt belongs to. It is stored as a hash alone. */
export function pairOf({ email, address }: LoginAttempt): string {
  return `${email}\n${clientOf(address)}`
}

/** What an attempt is counted by: these counters, and whether its pair has logged in before. */
interface LoginCount {
  readonly siteKey: string
  readonly accountKey: string
  readonly pairKey: string
  readonly pairHash: Uint8Array
  readonly isKnown: boolean
}

/**
 * Refuses a login that comes too soon by what is counted so far, without a write: it costs next to nothing.
 * @throws Problem too_many_attempts
 */
export async function checkLogin(db: Db, attempt: LoginAttempt, now: Date): Promise<LoginCount> {
  const count = await countOf(db, attempt, now)
  const { siteKey, accountKey, pairKey, isKnown } = count
  const counters = await findCounters(db, siteKey, accountKey, pairKey)
  const counterOf = (key: string) => counters.find((counter) => counter.key === key)
  // In the order of countLogin: the same try is told the same wait.
  requireRoom(counterOf(siteKey), bucketOf(count), now)
  if (!isKnown) requireNoWait(counterOf(accountKey), waitsOfAccount, now)
  requireNoWait(counterOf(pairKey), waitsOfPair, now)
  return count
}

/**
 * Counts a login as failed, before its password is looked at: of parallel guesses none slips past.
 * @throws Problem too_many_attempts, which neither counts nor lengthens the wait
 */
export async function countLogin(db: Db, count: LoginCount, now: Date): Promise<void> {
  const { siteKey, accountKey, pairKey, isKnown } = count
  const [site, account, pair] = await lockCounters(db, [siteKey, accountKey, pairKey], now)
  const siteLevel = requireRoom(site, bucketOf(count), now)
  if (!isKnown) requireNoWait(account, waitsOfAccount, now)
  requireNoWait(pair, waitsOfPair, now)

  const ofAccount = failuresIn(account, now) + 1
  const ofPair = failuresIn(pair, now) + 1
  await setCounters(db, now, [
    { key: siteKey, level: siteLevel + 1 },
    { key: accountKey, level: ofAccount, blockedForMs: waitAfter(ofAccount, waitsOfAccount) },
    { key: pairKey, level: ofPair, blockedForMs: waitAfter(ofPair, waitsOfPair) },
  ])
}

/** Takes back what `countLogin` counted, since the password was right, and remembers the pair. */
export async function acceptLogin(db: Db, count: LoginCount, userId: number, now: Date): Promise<void> {
  const { siteKey, accountKey, pairKey } = count
  await db
    .updateTable('throttles')
    .set((q) => ({ level: q('level', '-', 1) }))
    .where('key', '=', siteKey)
    .where('level', '>=', 1)
    .execute()
  await db.deleteFrom('throttles').where('key', 'in', [accountKey, pairKey]).execute()
  await rememberPair(db, count, userId, now)
}

function bucketOf({ isKnown }: LoginCount): Bucket {
  return isKnown ? failuresOfKnown : failuresOfStrangers
}

/** Keys hold no e-mail address: they are hashed. */
async function countOf(db: Db, attempt: LoginAttempt, now: Date): Promise<LoginCount> {
  const pair = pairOf(attempt)
  const pairHash = await pairHashOf(db, pair)
  const isKnown = await isKnownPair(db, pairHash, now)
  const site = siteOf(attempt.address)
  return {
    siteKey: isKnown ? `login-known:${site}` : `login-address:${site}`,
    accountKey: `login-account:${hash('sha256', attempt.email, 'base64url')}`,
    pairKey: `login:${hash('sha256', pair, 'base64url')}`,
    pairHash,
    isKnown,
  }
}
