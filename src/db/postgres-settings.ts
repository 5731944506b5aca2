import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** What each setting is where an operator should change it, and what to tell them. */
const advice = {
  statement_timeout: {
    poor: '0',
    text: 'the role in DATABASE_URL has no statement_timeout: set its limits by ALTER ROLE, as deploy/postgres-init.sql does',
  },
  synchronous_commit: {
    poor: 'off',
    text: 'PostgreSQL has synchronous_commit off, and the pooler before it hides whose session it is: a crash loses what was answered before. Set it to on for the role in DATABASE_URL, by ALTER ROLE',
  },
  fsync: {
    poor: 'off',
    text: 'PostgreSQL has fsync off: a loss of power can damage or lose all records. Set it to on in postgresql.conf',
  },
  full_page_writes: {
    poor: 'off',
    text: 'PostgreSQL has full_page_writes off: a loss of power can damage records. Set it to on in postgresql.conf',
  },
} as const

/** By how many seconds clocks may differ: an instance holds an import for 15 s, and says so again each 4 s. */
const clockSeconds = 5

/**
 * What an operator should change of how PostgreSQL is set, and of the clock here, a sentence each. The handle is one
 * without limits of its own, which would hide that the role has none.
 */
export async function settingsAdvice(db: Db, clock = () => new Date()): Promise<string[]> {
  const names = Object.keys(advice) as (keyof typeof advice)[]
  const { rows } = await sql<{ name: keyof typeof advice; setting: string }>`
    select name, current_setting(name) as setting from unnest(${names}::text[]) as name`.execute(db)
  const set = new Map(rows.map(({ name, setting }) => [name, setting]))
  const poor = names.filter((name) => set.get(name) === advice[name].poor).map((name) => advice[name].text)
  return [...poor, ...(await clockAdvice(db, clock))]
}

async function clockAdvice(db: Db, clock: () => Date): Promise<string[]> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from clock_timestamp())::float8 as seconds`.execute(db)
  const ahead = Math.round(clock().getTime() / 1000 - rows[0]!.seconds)
  if (Math.abs(ahead) < clockSeconds) return []
  const how = ahead > 0 ? 'ahead of' : 'behind'
  return [
    `the clock of this machine is ${Math.abs(ahead)} s ${how} PostgreSQL's: keep both in step, by NTP. Else instances take imports from each other, and these may fail`,
  ]
}
