import { hash } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import type { Db, Instant } from '../db/tables.ts'
import { Problem } from '../problems.ts'
import { instantAfter } from './clock.ts'

/*
 * Counters of attempts, in the database so that a restart or another instance does not forget them.
 * A counter's row is locked by touching it, so that what is counted was counted once.
 */

/** Failures of one account from one address that cost nothing; afterwards each doubles the wait. */
const freeFailures = 10
const longestWaitMs = 15 * 60_000
/** A day without failures forgets them. */
export const throttleMemoryMs = 24 * 3_600_000
const purgedAtATime = 1_000

/** A bucket that drains steadily: `capacity` attempts in `periodMs`. */
interface Bucket {
  readonly capacity: number
  readonly periodMs: number
}
const failuresOfAddress: Bucket = { capacity: 300, periodMs: 600_000 }
const registrationsOfAddress: Bucket = { capacity: 1_000, periodMs: 3_600_000 }

/** Who tries to log in, and from where; whether the account exists makes no difference. */
export interface LoginAttempt {
  readonly email: string
  readonly address: string
}

/**
 * Refuses a login that comes too soon by what is counted so far, without a write: it costs next to nothing.
 * @throws Problem too_many_attempts
 */
export async function checkLogin(db: Db, attempt: LoginAttempt, now: Date): Promise<void> {
  const { pairKey, addressKey } = keysOf(attempt)
  const counters = await db
    .selectFrom('throttles')
    .selectAll()
    .where('key', 'in', [pairKey, addressKey])
    .execute()
  // In the order of countLogin, whatever order the rows come in: the same try is told the same wait.
  const [address, pair] = [addressKey, pairKey].map((key) => counters.find((counter) => counter.key === key))
  if (address !== undefined) checkAddress(address, now)
  if (pair !== undefined) checkPair(pair, now)
}

/**
 * Counts a login as failed, before its password is looked at: of parallel guesses none slips past.
 * @throws Problem too_many_attempts, which neither counts nor lengthens the wait
 */
export async function countLogin(db: Db, attempt: LoginAttempt, now: Date): Promise<void> {
  const { pairKey, addressKey } = keysOf(attempt)
  const [address, pair] = await lockCounters(db, [addressKey, pairKey], now)
  const addressLevel = checkAddress(address, now)
  checkPair(pair, now)
  const failures = (isForgotten(pair, now) ? 0 : pair.level) + 1

  await setCounters(db, now, [
    { key: addressKey, level: addressLevel + 1 },
    { key: pairKey, level: failures, blockedUntil: instantAfter(now, waitAfter(failures)) },
  ])
}

/** @returns the address's level by now */
function checkAddress(address: Counter, now: Date): number {
  const level = drained(address, failuresOfAddress, now)
  if (level + 1 > failuresOfAddress.capacity) throw tooMany(refillMs(level, failuresOfAddress))
  return level
}

function checkPair(pair: Counter, now: Date): void {
  const waitMs = Date.parse(pair.blocked_until) - now.getTime()
  // A clock that was set back must not lock an account for longer than its wait was.
  if (waitMs > 0 && waitMs <= waitAfter(pair.level)) throw tooMany(waitMs)
}

/** Takes back what `countLogin` counted: the password was right. */
export async function resetLogin(db: Db, attempt: LoginAttempt): Promise<void> {
  const { pairKey, addressKey } = keysOf(attempt)
  await db
    .updateTable('throttles')
    .set((q) => ({ level: q('level', '-', 1) }))
    .where('key', '=', addressKey)
    .where('level', '>=', 1)
    .execute()
  await db.deleteFrom('throttles').where('key', '=', pairKey).execute()
}

/** @throws Problem too_many_attempts when an address has made all the accounts it may for now */
export async function checkRegistrations(db: Db, address: string, now: Date): Promise<void> {
  const counter = await findCounter(db, registrationKey(address))
  if (counter === undefined) return
  const level = drained(counter, registrationsOfAddress, now)
  if (level + 1 > registrationsOfAddress.capacity) throw tooMany(refillMs(level, registrationsOfAddress))
}

/**
 * Counts a registration, in the transaction that makes the account.
 * @throws Problem too_many_attempts
 */
export async function countRegistration(db: Db, address: string, now: Date): Promise<void> {
  const key = registrationKey(address)
  const [counter] = await lockCounters(db, [key], now)
  const level = drained(counter, registrationsOfAddress, now)
  if (level + 1 > registrationsOfAddress.capacity) throw tooMany(refillMs(level, registrationsOfAddress))
  await setCounters(db, now, [{ key, level: level + 1 }])
}

/**
 * Removes what a day without failures forgets, and what a clock that was wrong left in the future: a thousand
 * counters at most, so that other writes need not wait long. @returns whether there may be more
 */
export async function deleteOldCounters(db: Db, now: Date): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('throttles')
    .where('key', 'in', (query) =>
      query
        .selectFrom('throttles')
        .select('key')
        .where((q) =>
          q.or([
            q('updated_at', '<', instantAfter(now, -throttleMemoryMs)),
            q('updated_at', '>', instantAfter(now, throttleMemoryMs)),
          ]),
        )
        .limit(purgedAtATime),
    )
    .executeTakeFirstOrThrow()
  return numDeletedRows === BigInt(purgedAtATime)
}

/**
 * The client that an address stands for, with or without a port: an IPv4 address, or an IPv6 network of /64
 * (RFC 6177). What a proxy gives that is no address is one client, `unknown`.
 */
export function clientOf(address: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address)
  const host = bare?.[1] ?? bare?.[2] ?? address
  if (isIPv4(host)) return host
  if (!isIPv6(host)) return 'unknown'
  const groups = groupsOf(host)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped) return groups.slice(6).map(dotted).join('.')
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight numbers of an IPv6 address (RFC 4291 §2.2), whose last two may be written as IPv4. */
function groupsOf(address: string): number[] {
  const [head = [], tail] = address.split('%')[0]!.split('::').map(parseGroups)
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...Array<number>(zeros).fill(0), ...(tail ?? [])]
}

function parseGroups(text: string): number[] {
  return text
    .split(':')
    .filter(Boolean)
    .flatMap((group) => {
      const [a, b, c, d] = group.split('.').map(Number)
      return d === undefined ? [Number.parseInt(group, 16)] : [a! * 256 + b!, c! * 256 + d]
    })
}

function dotted(group: number): string {
  return `${group >> 8}.${group & 255}`
}

interface Counter {
  readonly level: number
  readonly blocked_until: Instant
  readonly updated_at: Instant
}

/** Keys hold no e-mail address: they are hashed. */
function keysOf({ email, address }: LoginAttempt) {
  const client = clientOf(address)
  return {
    pairKey: `login:${hash('sha256', `${email}\n${client}`, 'base64url')}`,
    addressKey: `login-address:${client}`,
  }
}

function registrationKey(address: string): string {
  return `register:${clientOf(address)}`
}

async function findCounter(db: Db, key: string): Promise<Counter | undefined> {
  return db.selectFrom('throttles').selectAll().where('key', '=', key).executeTakeFirst()
}

/** Makes the counters or takes them, in this order, and holds them until the transaction ends, on both engines. */
async function lockCounters<const Keys extends readonly string[]>(
  db: Db,
  keys: Keys,
  now: Date,
): Promise<{ [_ in keyof Keys]: Counter }> {
  const instant = now.toISOString()
  const counters = await db
    .insertInto('throttles')
    .values(keys.map((key) => ({ key, level: 0, blocked_until: instant, updated_at: instant })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet((q) => ({ key: q.ref('excluded.key') })))
    .returningAll()
    .execute()
  return keys.map((key) => counters.find((counter) => counter.key === key)!) as { [_ in keyof Keys]: Counter }
}

interface NewLevel {
  readonly key: string
  readonly level: number
  readonly blockedUntil?: Instant
}

async function setCounters(db: Db, now: Date, levels: readonly NewLevel[]): Promise<void> {
  const updated_at = now.toISOString()
  await db
    .insertInto('throttles')
    .values(
      levels.map(({ key, level, blockedUntil = updated_at }) => ({
        ...{ key, level, updated_at },
        blocked_until: blockedUntil,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((q) => ({
        level: q.ref('excluded.level'),
        blocked_until: q.ref('excluded.blocked_until'),
        updated_at: q.ref('excluded.updated_at'),
      })),
    )
    .execute()
}

/** How long the next try must wait, in milliseconds, after so many failures. */
function waitAfter(failures: number): number {
  return failures > freeFailures ? Math.min(1_000 * 2 ** (failures - freeFailures - 1), longestWaitMs) : 0
}

/** How far a counter's last change is from now, either way: a clock that was set back locks nobody out. */
function ageMs({ updated_at }: Counter, now: Date): number {
  return Math.abs(now.getTime() - Date.parse(updated_at))
}

function drained(counter: Counter, { capacity, periodMs }: Bucket, now: Date): number {
  return Math.max(0, counter.level - (ageMs(counter, now) * capacity) / periodMs)
}

function refillMs(level: number, { capacity, periodMs }: Bucket): number {
  return ((level + 1 - capacity) * periodMs) / capacity
}

function isForgotten(counter: Counter, now: Date): boolean {
  return ageMs(counter, now) > throttleMemoryMs
}

function tooMany(waitMs: number): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Problem('too_many_attempts', `Too many attempts; try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
