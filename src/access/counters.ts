import { sql } from 'kysely'
import { deletePortion } from '../db/portions.ts'
import { prepare } from '../db/prepare.ts'
import type { Db, Instant } from '../db/tables.ts'
import { Problem } from '../problems.ts'
import { instantAfter } from './clock.ts'

/*
 * Counters of attempts, in the database so that a restart or another instance does not forget them.
 * A counter's row is locked by touching it, so that what is counted was counted once.
 */

/** A day without a change forgets a counter. */
const counterMemoryMs = 24 * 3_600_000

interface Counter {
  readonly key: string
  readonly level: number
  readonly blocked_until: Instant
  readonly updated_at: Instant
}

/** A bucket that drains steadily: `capacity` attempts in `periodMs`. */
export interface Bucket {
  readonly capacity: number
  readonly periodMs: number
}

/** Waits of an account: so many failures in a row cost nothing, each further one doubles the wait, from 1 s. */
export interface Waits {
  readonly freeFailures: number
  readonly longestMs: number
}

const selectCounters = prepare<{ first: string; second: string; third: string }, Counter>(
  (db, { first, second, third }) =>
    db.selectFrom('throttles').selectAll().where('key', 'in', [first, second, third]),
)

/** Reads the counters that are there, in any order: a refused attempt costs little more than this. */
export function findCounters(db: Db, first: string, second: string, third = second): Promise<Counter[]> {
  return selectCounters(db, { first, second, third })
}

/** Makes the counters or takes them, in this order, and holds them until the transaction ends, on both engines. */
export async function lockCounters<const Keys extends readonly string[]>(
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
  /** From now on, in milliseconds. */
  readonly blockedForMs?: number
}

export async function setCounters(db: Db, now: Date, levels: readonly NewLevel[]): Promise<void> {
  const updated_at = now.toISOString()
  await db
    .insertInto('throttles')
    .values(
      levels.map(({ key, level, blockedForMs = 0 }) => ({
        ...{ key, level, updated_at },
        blocked_until: instantAfter(now, blockedForMs),
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

/**
 * @returns how full a bucket is by now, before one more attempt
 * @throws Problem too_many_attempts when it has no room for one
 */
export function requireRoom(counter: Counter | undefined, { capacity, periodMs }: Bucket, now: Date): number {
  if (counter === undefined) return 0
  // A bucket that was larger once is full, and no more.
  const before = Math.min(counter.level, capacity)
  const level = Math.max(0, before - (ageMs(counter, now) * capacity) / periodMs)
  if (level + 1 > capacity) throw tooMany(((level + 1 - capacity) * periodMs) / capacity)
  return level
}

/** How many failures in a row a counter holds: none after a day without one. */
export function failuresIn(counter: Counter, now: Date): number {
  return ageMs(counter, now) > counterMemoryMs ? 0 : counter.level
}

/**
 * @throws Problem too_many_attempts while the counter's wait lasts; a clock that was set back locks nobody out for
 * longer than the wait was
 */
export function requireNoWait(counter: Counter | undefined, waits: Waits, now: Date): void {
  if (counter === undefined) return
  const waitMs = Date.parse(counter.blocked_until) - now.getTime()
  if (waitMs > 0 && waitMs <= waitAfter(counter.level, waits)) throw tooMany(waitMs)
}

/** How long the next try must wait, in milliseconds, after so many failures. */
export function waitAfter(failures: number, { freeFailures, longestMs }: Waits): number {
  return failures > freeFailures ? Math.min(1_000 * 2 ** (failures - freeFailures - 1), longestMs) : 0
}

/** How far a counter's last change is from now, either way: a clock that was set back locks nobody out. */
function ageMs({ updated_at }: Counter, now: Date): number {
  return Math.abs(now.getTime() - Date.parse(updated_at))
}

function tooMany(waitMs: number): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Problem('too_many_attempts', `Too many attempts; try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

/**
 * Removes what a day without failures forgets, and what a clock that was wrong left in the future, as `deletePortion`
 * does.
 */
export function deleteOldCounters(db: Db, now: Date): Promise<boolean> {
  const [first, last] = [instantAfter(now, -counterMemoryMs), instantAfter(now, counterMemoryMs)]
  return deletePortion(db, 'throttles', 'key', sql`updated_at < ${first} or updated_at > ${last}`)
}
