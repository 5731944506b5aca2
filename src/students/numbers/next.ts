import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { bytewise, endsInDigit } from '../../db/engine.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import type { Db } from '../../db/tables.ts'
import { codePoints, uniqueKey } from '../../text/normalise.ts'
import { maxNumberLength } from './given-once.ts'

/** Numbers that differ in their last digits alone. */
interface Series {
  readonly prefix: string
  /** How many digits a number has at least. */
  readonly width: number
  /** A number of the series that is in use; 0: there may be none. */
  readonly last: bigint
}

/** Where numbers begin: with leading zeros, so that lists sorted by number have them in order. */
const beginning: Series = { prefix: '', width: 4, last: 0n }

/** How many students are looked at for one whose number ends in digits; in a class, where the scope is classes. */
const studentsLookedAt = 20

/** How many numbers are looked at for the highest of a series. Numbers of other widths may stand between them. */
const numbersLookedAt = 200

/** How many numbers one statement asks for. */
const askedAtOnce = 32

/**
 * Proposes the admission number after the highest of a series, or after it the next that is free. The series is that of
 * the student in the scope who was made last: what stands before the last digits, and how many these are. Whoever takes
 * the number first has it.
 */
export async function nextNumber(db: Db, scope: Scope): Promise<string> {
  const newest = await db
    .selectFrom('students')
    .select('admission_number')
    .where('id', '=', scope === 'all' ? lastNumbered(db) : lastNumberedOf(db, scope))
    .executeTakeFirst()
  return numberAfter(db, newest?.admission_number)
}

/** The same, of the series of a number; undefined: of that with which numbers begin. */
export async function numberAfter(db: Db, number: string | undefined): Promise<string> {
  const series = number === undefined ? undefined : await seriesOf(db, number)
  const proposed = series && (await firstFree(db, series))
  const isFit = proposed !== undefined && codePoints(proposed) <= maxNumberLength
  return isFit ? proposed : firstFree(db, beginning)
}

async function seriesOf(db: Db, number: string): Promise<Series | undefined> {
  const key = uniqueKey(number)
  const [digits] = /[0-9]+$/.exec(key) ?? []
  if (digits === undefined) return undefined
  const text = [number, number.normalize('NFKC'), key].find((text) => text.endsWith(digits))!
  const highest = await highestOf(db, key.slice(0, -digits.length), digits.length)
  return { prefix: text.slice(0, -digits.length), width: digits.length, last: BigInt(highest ?? digits) }
}

/** The last student whose number ends in digits, among a few; `where` says of which students. */
function lastNumbered(db: Db, where = sql``): RawBuilder<number> {
  return sql<number>`(
    select max(id) from (
      select id, admission_key from students ${where} order by id desc limit ${sql.lit(studentsLookedAt)}
    ) as latest where ${endsInDigit(db, 'admission_key')})`
}

/** The same of some classes: each has its last ones, by the index. */
function lastNumberedOf(db: Db, classes: readonly number[]): RawBuilder<number> {
  const ofClass = lastNumbered(db, sql`where students.class_id = classes.id`)
  return sql<number>`(
    select max(last) from (
      select ${ofClass} as last from classes where ${isOneOf(db, 'classes.id', classes)}
    ) as of_classes)`
}

/** @returns the digits of the highest number with this prefix and width; undefined where none is found at once */
async function highestOf(db: Db, keyPrefix: string, width: number): Promise<string | undefined> {
  const key = sql`admission_key ${bytewise(db)}`
  const [lowest, highest] = ['0', '9'].map((digit) => keyPrefix + digit.repeat(width))
  const rows = await db
    .selectFrom('students')
    .select('admission_key')
    .where(sql<boolean>`${key} >= ${lowest}`)
    .where(sql<boolean>`${key} <= ${highest}`)
    .orderBy(sql`${key} desc`)
    .limit(numbersLookedAt)
    .execute()
  const digits = rows.map(({ admission_key }) => admission_key.slice(keyPrefix.length))
  return digits.find((text) => text.length === width && /^[0-9]+$/.test(text))
}

/** A free number after the last: the one behind it, or behind others that are taken. */
async function firstFree(db: Db, { prefix, width, last }: Series): Promise<string> {
  const written = (number: bigint) => prefix + String(number).padStart(width, '0')
  let taken = last
  let free: bigint | undefined
  while (free === undefined || free - taken > 1n) {
    const asked = free === undefined ? growing(taken) : between(taken, free)
    const keys = asked.map((number) => uniqueKey(written(number)))
    const found = await takenAmong(db, keys)
    const firstFreeAt = keys.findIndex((key) => !found.has(key))
    const before = firstFreeAt < 0 ? asked : asked.slice(0, firstFreeAt)
    free = asked[firstFreeAt] ?? free
    taken = before.at(-1) ?? taken
  }
  return written(free)
}

const indexes = Array.from({ length: askedAtOnce }, (_, i) => BigInt(i))

/** 1, 2, 4, 8 … after a number: a long run of taken ones is behind it in few statements. */
function growing(from: bigint): bigint[] {
  return indexes.map((i) => from + (1n << i))
}

/** Numbers that part what is between two into equal pieces. */
function between(low: bigint, high: bigint): bigint[] {
  const steps = BigInt(askedAtOnce) + 1n
  const points = indexes.map((i) => low + ((high - low) * (i + 1n)) / steps)
  return [...new Set(points)].filter((number) => number > low && number < high)
}

async function takenAmong(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const ofStudents = db.selectFrom('students').select('admission_key').where('admission_key', 'in', keys)
  const former = db.selectFrom('former_numbers').select('admission_key').where('admission_key', 'in', keys)
  const rows = await ofStudents.unionAll(former).execute()
  return new Set(rows.map(({ admission_key }) => admission_key))
}
