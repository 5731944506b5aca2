import { auditEntries, type EntryRow } from '../audit/entries.ts'
import { records } from '../audit/schema.ts'
import { readTime } from '../audit/times.ts'
import type { LoggedRecord } from '../events/log.ts'
import { type Command, UsageError } from './command.ts'
import { onDatabase } from './database.ts'
import { getNamedAccount } from './named.ts'
import { columns } from './usage.ts'

const mostShown = 1_000

/** `audit list` */
export const auditList: Command = {
  name: 'audit list',
  summary: 'List who changed what, the newest change first',
  options: {
    actor: { value: 'EMAIL', describe: 'Only what this account changed' },
    record: { value: 'KIND', describe: `Only ${records.join(', ')}` },
    id: { value: 'ID', describe: 'Only of the record with this id' },
    since: { value: 'TIME', describe: 'Not before this day or instant, UTC: 2026-09-01, 2026-09-01T08:00Z' },
    until: { value: 'TIME', describe: 'Before this day or instant' },
    count: { value: 'NUMBER', describe: `How many at most: 1 to ${mostShown}; without it, 50` },
  },
  help: 'Names the fields that changed; with --json also what they were and are, sensitive ones too.',
  run: onDatabase(async (db, input) => {
    const { actor, record, id, since, until, count = '50' } = input.options
    if (record !== undefined && !records.includes(record as LoggedRecord))
      throw new UsageError(`--record must be one of ${records.join(', ')}.`)
    const account = actor === undefined ? undefined : await getNamedAccount(db, { arguments: [actor] })
    const filter = {
      actor: account?.id,
      record: record as LoggedRecord | undefined,
      recordId: id === undefined ? undefined : readNumber('--id', id, Number.MAX_SAFE_INTEGER),
      since: readTimeOf('--since', since),
      until: readTimeOf('--until', until),
    }
    const limit = readNumber('--count', count, mostShown)
    const { rows } = await auditEntries(db, filter, { limit, before: undefined })
    const entries = rows.map(({ fields, secrets, ...entry }) => ({
      ...entry,
      changes: { ...JSON.parse(fields), ...JSON.parse(secrets ?? '{}') },
    }))
    const header = ['TIME', 'BY', 'SET', 'WHAT', 'FIELDS']
    const lines = rows.map((row, i) => [
      row.made_at.slice(0, 16).replace('T', ' '),
      row.note === null ? actorOf(row) : `${actorOf(row)}: ${row.kind === 'undo' ? 'undo ' : ''}${row.note}`,
      String(row.change_set_id),
      `${row.record} ${row.record_id} ${row.action}`,
      Object.keys(entries[i]!.changes).join(', '),
    ])
    return { data: { entries }, text: columns([header, ...lines]) }
  }),
}

/** Who made an entry of the log, or an import. */
export function actorOf({
  user_id,
  command,
  address,
}: Pick<EntryRow, 'user_id' | 'command'> & { readonly address?: string | null }): string {
  if (user_id !== null) return `account ${user_id}`
  return command === null ? (address ?? 'a visitor') : `command ${command}`
}

/** A number that an option has, from 1. @throws UsageError */
export function readNumber(option: string, given: string, most: number): number {
  const number = /^\d{1,15}$/.test(given) ? Number(given) : 0
  if (number >= 1 && number <= most) return number
  throw new UsageError(`${option} must be a number from 1 to ${most}.`)
}

function readTimeOf(option: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const time = readTime(given)
  if (time === undefined)
    throw new UsageError(`${option} must be a day or an instant: 2026-09-01, 2026-09-01T08:00Z.`)
  return time
}
