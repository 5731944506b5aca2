import type { Db } from '../db/tables.ts'
import { siteOf } from './clients.ts'
import { type Bucket, findCounters, lockCounters, requireRoom, setCounters } from './counters.ts'

/** Who registers, and how many may from one address in an hour: ten times as many may in all. */
interface RegistrationAttempt {
  readonly address: string
  readonly perHour: number
}

const sitesInAll = 10
const hourMs = 3_600_000
const keyInAll = 'register'

/** Refuses a registration before its body is read, by what is counted so far. @throws Problem too_many_attempts */
export async function checkRegistration(db: Db, attempt: RegistrationAttempt, now: Date): Promise<void> {
  const { siteKey, ofSite, inAll } = countOf(attempt)
  const counters = await findCounters(db, keyInAll, siteKey)
  const counterOf = (key: string) => counters.find((counter) => counter.key === key)
  requireRoom(counterOf(siteKey), ofSite, now)
  requireRoom(counterOf(keyInAll), inAll, now)
}

/**
 * Counts a registration before it is decided: that an address is taken tells who has an account.
 * @throws Problem too_many_attempts, which does not count
 */
export async function countRegistration(db: Db, attempt: RegistrationAttempt, now: Date): Promise<void> {
  const { siteKey, ofSite, inAll } = countOf(attempt)
  const [site, all] = await lockCounters(db, [siteKey, keyInAll], now)
  const levels = [requireRoom(site, ofSite, now), requireRoom(all, inAll, now)] as const
  await setCounters(db, now, [
    { key: siteKey, level: levels[0] + 1 },
    { key: keyInAll, level: levels[1] + 1 },
  ])
}

function countOf({ address, perHour }: RegistrationAttempt) {
  return {
    siteKey: `register:${siteOf(address)}`,
    ofSite: { capacity: perHour, periodMs: hourMs } satisfies Bucket,
    inAll: { capacity: sitesInAll * perHour, periodMs: hourMs } satisfies Bucket,
  }
}
