import { sql } from 'kysely'
import type { Authority } from '../access/authority.ts'
import { isInScope, type Scope } from '../access/scope.ts'
import { isOneOf } from '../db/is-one-of.ts'
import { rowsBeside } from '../db/read-beside.ts'
import type { Db, Instant } from '../db/tables.ts'
import { importOf, rowAt } from '../events/import-note.ts'
import type { ChangedFields, LoggedRecord, RecordChange } from '../events/log.ts'
import { findFields } from '../fields/queries.ts'
import { usualPerPage } from '../http/paging.ts'
import { invalidField } from '../problems.ts'
import { ownPrefix } from '../students/own-field-filters.ts'

/** A change of one record, as the log holds it. */
export interface EventRow {
  readonly change_set_id: number
  readonly place: number
  readonly record: LoggedRecord
  readonly record_id: number
  readonly action: RecordChange['action']
  readonly belongs_to: number | null
  /** JSON. */
  readonly fields: string
  readonly secrets: string | null
}

/** The same with its change set, and who made that. */
export interface EntryRow extends EventRow {
  readonly kind: string
  readonly user_id: number | null
  readonly user_name: string | null
  readonly command: string | null
  readonly made_at: Instant
  readonly note: string | null
  readonly undoes: number | null
  readonly undone_by: number | null
}

/**
 * What only some may see of an event; null: nothing. It is no join: where PostgreSQL takes a change set for small, it
 * would compare each of its events with each of its secrets.
 */
export const secretsOfEvent = sql<string | null>`(
  select event_secrets.fields from event_secrets
  where event_secrets.change_set_id = events.change_set_id and event_secrets.place = events.place)`

/** Events with what only some may see of them. */
export function selectEvents(db: Db) {
  return db
    .selectFrom('events')
    .select([
      'events.change_set_id',
      'events.place',
      'events.record',
      'events.record_id',
      'events.action',
      'events.belongs_to',
      'events.fields',
      secretsOfEvent.as('secrets'),
    ])
    .$castTo<EventRow>()
}

/**
 * Entries, the newest first. Of an account that was removed there is no name.
 * @param orderedBy which of two equal columns, so that SQLite takes the index that has this order
 */
function selectEntries(
  db: Db,
  { limit, before }: EntriesAsked,
  orderedBy: 'events.change_set_id' | 'change_sets.id' = 'events.change_set_id',
) {
  const entries = selectEvents(db)
    .innerJoin('change_sets', 'change_sets.id', 'events.change_set_id')
    .leftJoin('users', 'users.id', 'change_sets.user_id')
    .select([
      'change_sets.kind',
      'change_sets.user_id',
      'users.name as user_name',
      'change_sets.command',
      'change_sets.made_at',
      'change_sets.note',
      'change_sets.undoes',
      'change_sets.undone_by',
    ])
    .orderBy(orderedBy, 'desc')
    .orderBy('events.place', 'desc')
    .limit(limit + 1)
  return before === undefined
    ? entries
    : entries
        .where(orderedBy, '<=', before[0])
        .where(sql<boolean>`(events.change_set_id, events.place) < (${before[0]}, ${before[1]})`)
}

/** How many entries, and before which one. */
interface EntriesAsked {
  readonly limit: number
  readonly before: readonly [changeSetId: number, place: number] | undefined
}

/** What a request for entries says. @throws Problem validation_failed */
export function entriesAsked({
  per_page = usualPerPage,
  before,
}: {
  readonly per_page?: number
  readonly before?: string
}): EntriesAsked {
  if (before === undefined || before === '') return { limit: per_page, before: undefined }
  const [, changeSet, place] = /^(\d{1,15})\.(-?\d{1,15})$/.exec(before) ?? []
  if (changeSet === undefined)
    throw invalidField('/before', { code: 'invalid', detail: 'must be `next` of an answer' })
  return { limit: per_page, before: [Number(changeSet), Number(place)] }
}

/** Entries of a page, and where the next page begins; null: there is none. */
export interface Entries {
  readonly rows: EntryRow[]
  readonly next: string | null
}

function pageOf(found: readonly unknown[], limit: number): Entries {
  const rows = (found as EntryRow[]).slice(0, limit)
  const last = rows.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { rows, next: hasMore ? `${last.change_set_id}.${last.place}` : null }
}

/** The history of one record; of a student, as far as it was in these classes. */
export async function historyOf(
  db: Db,
  record: LoggedRecord,
  id: number,
  scope: Scope,
  asked: EntriesAsked,
): Promise<Entries> {
  let entries = selectEntries(db, asked).where('events.record_id', '=', id).where('record', '=', record)
  if (scope !== 'all') entries = entries.where(isOneOf(db, 'events.belongs_to', scope))
  return pageOf(await entries.execute(), asked.limit)
}

/** Which entries of the whole log. */
interface AuditFilter {
  readonly actor?: number | undefined
  readonly record?: LoggedRecord | undefined
  readonly recordId?: number | undefined
  readonly action?: RecordChange['action'] | undefined
  readonly since?: Instant | undefined
  readonly until?: Instant | undefined
}

/** Entries of the whole log. Nothing is counted. */
export async function auditEntries(db: Db, filter: AuditFilter, asked: EntriesAsked): Promise<Entries> {
  const { actor, record, recordId, action, since, until } = filter
  const isByActor = actor !== undefined && recordId === undefined
  let entries = selectEntries(db, asked, isByActor ? 'change_sets.id' : 'events.change_set_id')
  if (actor !== undefined) entries = entries.where('change_sets.user_id', '=', actor)
  if (record !== undefined) entries = entries.where('record', '=', record)
  if (recordId !== undefined) entries = entries.where('events.record_id', '=', recordId)
  if (action !== undefined) entries = entries.where('action', '=', action)
  if (since !== undefined) entries = entries.where('made_at', '>=', since)
  if (until !== undefined) entries = entries.where('made_at', '<', until)
  return pageOf(await rowsBeside(db, entries), asked.limit)
}

/** For what may the values of a record be seen; undefined: for nothing. */
interface Sight {
  readonly fields: boolean
  readonly secrets: boolean
}

/** What of an event its reader may see: by what they hold now, and by the student's class then. */
export function sightOf(
  authority: Authority,
  { record, record_id, belongs_to }: Pick<EventRow, 'record' | 'record_id' | 'belongs_to'>,
): Sight {
  const holds = (permission: string) => authority.scopeOf(permission) !== undefined
  const holdsFor = (permission: string, classId: number | null) =>
    classId === null ? holds(permission) : isInScope(authority.scopeOf(permission), classId)
  switch (record) {
    case 'student':
    case 'double':
      return {
        fields: holdsFor('students.view', belongs_to),
        secrets: holdsFor('students.view', belongs_to) && holdsFor('students.sensitive', belongs_to),
      }
    case 'class':
      return { fields: holdsFor('classes.view', record_id), secrets: false }
    case 'account':
      return { fields: holds('users.view'), secrets: holds('users.view') }
    case 'role':
      return { fields: holds('roles.manage'), secrets: false }
    case 'field':
    case 'list':
      return { fields: holds('students.view'), secrets: false }
    case 'export':
      return { fields: holds('students.export'), secrets: false }
    case 'school':
      return { fields: true, secrets: false }
  }
}

/** What an event changed; `secrets`: of fields that only some may see now. */
export interface ToldChanges {
  readonly fields: ChangedFields
  readonly secrets: ChangedFields
}

/**
 * Reads what events changed, by the school's own fields as they are now. A field that became sensitive, or is gone, is
 * sensitive also where it was logged before. Where no event names one, nothing is read.
 */
export async function readerOfChanges(
  db: Db,
  events: readonly Pick<EventRow, 'fields'>[],
): Promise<(event: EventRow) => ToldChanges> {
  const namesOwn = events.some(({ fields }) => fields.includes(`"${ownPrefix}`))
  const open = namesOwn ? (await findFields(db)).filter(({ sensitive }) => !sensitive) : []
  const seenByAll = new Set(open.map(({ key }) => ownPrefix + key))
  return ({ record, fields: plain, secrets: apart }) => {
    const isSecret = (name: string) =>
      record === 'student' && name.startsWith(ownPrefix) && !seenByAll.has(name)
    const logged = Object.entries(JSON.parse(plain) as ChangedFields)
    const secrets = logged.filter(([name]) => isSecret(name))
    return {
      fields: Object.fromEntries(logged.filter(([name]) => !isSecret(name))),
      secrets: { ...Object.fromEntries(secrets), ...JSON.parse(apart ?? '{}') },
    }
  }
}

/** An entry as its reader sees it. */
export function shownEntry(authority: Authority, row: EntryRow, { fields, secrets }: ToldChanges) {
  const { change_set_id, kind, made_at, note, undoes, undone_by, record, record_id, action } = row
  const now = sightOf(authority, row)
  // With a move, what was is of the class before.
  const [classBefore] = (record === 'student' && fields.class_id) || []
  const then = typeof classBefore === 'number' ? sightOf(authority, { ...row, belongs_to: classBefore }) : now
  const changed = [
    ...Object.entries(fields).map(([field, values]) => {
      return { field, values, isSeen: now.fields && (field === 'class_id' || then.fields) }
    }),
    ...Object.entries(secrets).map(([field, values]) => {
      return { field, values, isSeen: now.secrets && then.secrets }
    }),
  ]
  const hidden = changed.filter(({ isSeen }) => !isSeen).map(({ field }) => field)
  const by = {
    ...(row.user_id !== null && { user_id: row.user_id, name: row.user_name }),
    ...(row.command !== null && { command: row.command }),
  }
  const changes = changed
    .filter(({ isSeen }) => isSeen)
    .map(({ field, values: [from, to] }) => ({ field, from, to }))
  const imported = importedBy(row)
  const changeSet = {
    ...{ change_set_id, kind, made_at, by, note, undoes, undone_by },
    ...(imported && { import: imported }),
  }
  return { ...changeSet, record, record_id, action, changes, hidden }
}

/** The import that made a change, and the row of its file; a class that it made for several rows has none. */
function importedBy(entry: Pick<EntryRow, 'kind' | 'note' | 'place'>) {
  const id = importOf(entry)
  if (id === undefined) return undefined
  if (entry.place <= 0) return { id, row: null, sheet: null }
  const { row, sheet } = rowAt(entry.place)
  return { id, row, sheet: sheet + 1 }
}
