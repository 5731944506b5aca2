import { type Entry, type ListAuditData, listAudit } from '../../client/src/index.ts'
import { call, type Outcome } from '../api/calls.ts'
import { address, show } from '../frame/address.ts'
import { dayBegins } from '../language/zones.ts'
import { may, school } from '../session/session.ts'

type AuditQuery = NonNullable<ListAuditData['query']>

/** What stands after `#`: a day is one of the school's calendar, the last day included. */
export const filterNames = ['actor', 'record', 'record_id', 'action', 'since', 'until'] as const
type FilterName = (typeof filterNames)[number]

/** Changes the filters; what is empty goes. */
export function put(changed: Partial<Record<FilterName, string>>): void {
  const next = new URLSearchParams(address.value.query)
  for (const [name, value] of Object.entries(changed)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  show(next)
}

export const zone = () => school.value?.time_zone ?? 'UTC'

/** What the API is asked. Who may not read the log asks for their own changes. */
function auditQuery(given: URLSearchParams): AuditQuery {
  const of = (name: FilterName) => given.get(name) ?? ''
  const actor = may('audit.view') ? of('actor') : 'me'
  const [record, action] = [of('record') as Entry['record'], of('action') as Entry['action']]
  const [id, since, until] = [Number(of('record_id')), of('since'), of('until')]
  return {
    ...(actor !== '' && { actor }),
    ...(record.length > 0 && { record }),
    ...(id > 0 && { record_id: id }),
    ...(action.length > 0 && { action }),
    ...(isDay(since) && { since: dayBegins(since, zone()) }),
    ...(isDay(until) && { until: dayBegins(until, zone(), 1) }),
  }
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

/** Entries, the newest first, and where older ones begin; null: there are none. */
export interface Entries {
  readonly entries: readonly Entry[]
  readonly next: string | null
}

const perPage = 50

/** @param before `next` of the page before; until: only what was made before this instant */
export async function fetchEntries(
  given: URLSearchParams,
  before?: string,
  until?: string,
): Promise<Outcome<Entries>> {
  const query = {
    ...{ ...auditQuery(given), per_page: perPage },
    ...(before !== undefined && { before }),
    ...(until !== undefined && { until }),
  }
  const came = await call(() => listAudit({ query }))
  return came.is === 'failed' ? came : { ...came, data: { entries: came.data.data, next: came.data.next } }
}

/** Entries by change set, in their order. */
export function bySet(entries: readonly Entry[]): (readonly Entry[])[] {
  const sets: Entry[][] = []
  for (const entry of entries) {
    const last = sets.at(-1)
    if (last?.[0]?.change_set_id === entry.change_set_id) last.push(entry)
    else sets.push([entry])
  }
  return sets
}
