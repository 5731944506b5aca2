import { sql } from 'kysely'
import { engineOf } from '../db/engine.ts'
import { jsonBytes } from '../db/json-rows.ts'
import { heldBack } from '../db/statement-marks.ts'
import type { Db, Instant } from '../db/tables.ts'

/** The records whose changes are logged. */
export type LoggedRecord =
  | 'student'
  | 'class'
  | 'account'
  | 'role'
  | 'field'
  | 'school'
  | 'list'
  | 'double'
  | 'export'

/** For each field that changed: what it was, and what it is; null: nothing. */
export type ChangedFields = Readonly<Record<string, readonly [from: unknown, to: unknown]>>

/** One change of one record. */
export interface RecordChange {
  readonly record: LoggedRecord
  readonly id: number
  readonly action: 'created' | 'changed' | 'removed'
  readonly at: Instant
  /** What the record is part of from then on, by id: its history ends where the reader may not see that. */
  readonly belongsTo?: number
  readonly fields: ChangedFields
  /** The same of fields that only some may see. */
  readonly secrets?: ChangedFields
  /** Where it stands in its change set; else after those before it. Of an import, the place of its row in the file. */
  readonly place?: number
}

/** What a change set is, where it is no plain edit. */
interface ChangeSetKind {
  readonly kind: string
  readonly note?: string
  /** The change set that it undoes. */
  readonly undoes?: number
}

/** The handle of a work: it reads and writes as `Db` does, and records what it changes. */
export type Tx = Db & {
  /** Logs a change. It is written at the end of the work. */
  readonly record: (change: RecordChange) => void
  /**
   * Inserts a record and logs its creation.
   * @param insert is told whether it ends the work; then its statement begins with `endsWork`
   * @param isLast whether the work does nothing more: on SQLite the next one then begins before the insert is made
   * @returns its id; undefined where nothing was inserted
   */
  readonly insertRecord: (
    table: string,
    creation: Omit<RecordChange, 'id' | 'action'>,
    insert: (endsWork: boolean) => Promise<readonly { readonly id: number }[]>,
    isLast: boolean,
  ) => Promise<number | undefined>
  /** Begins a change set of another kind than an edit. @returns its id */
  readonly beginChangeSet: (kind: ChangeSetKind, at: Instant) => Promise<number>
  /**
   * Adds the work's changes to a change set that an earlier work began.
   * @param below changes without a place of their own get the places below this one, downwards
   */
  readonly continueChangeSet: (id: number, below: number) => void
}

/** A change of a record with this id, or of the one that the same message inserts into a table. */
type LoggedChange = RecordChange | (Omit<RecordChange, 'id'> & { readonly newestOf: string })

/** Who makes a change set. */
export interface Maker {
  readonly userId?: number
  readonly command?: string
  readonly address?: string
  readonly requestId?: string
}

/** What one work changes: written when it ends, as one change set. */
export class ChangeLog {
  readonly #by: Maker
  #changes: LoggedChange[] = []
  #changeSet: number | undefined
  #below: number | undefined

  constructor(by: Maker) {
    this.#by = by
  }

  /** The handle of the work, which writes to this log. */
  handle(db: Db): Tx {
    const handle: Omit<Tx, keyof Db> = {
      record: (change: RecordChange) => void this.#changes.push(change),
      insertRecord: async (table, creation, insert, isLast) => {
        const change = { ...creation, action: 'created' } as const
        const endsWork = isLast && engineOf(db) === 'sqlite'
        if (endsWork) {
          this.#changes.push({ ...change, newestOf: table })
          await this.write(db)
        }
        const [inserted] = await insert(endsWork)
        if (inserted !== undefined && !endsWork) this.#changes.push({ ...change, id: inserted.id })
        return inserted?.id
      },
      beginChangeSet: async (kind, at) => {
        const inserted = await db
          .insertInto('change_sets')
          .values(changeSetOf(this.#by, kind, at))
          .returning('id')
          .executeTakeFirstOrThrow()
        this.#changeSet = inserted.id
        return inserted.id
      },
      continueChangeSet: (id, below) => {
        this.#changeSet = id
        this.#below = below
      },
    }
    return Object.assign(db, handle)
  }

  /** Writes what was recorded. On SQLite the statements travel with the end of the work, and wait for no answer. */
  async write(db: Db): Promise<void> {
    const changes = this.#changes
    this.#changes = []
    const [first] = changes
    if (first === undefined) return
    const below = this.#below
    const placeAt = (index: number) => (below === undefined ? index + 1 : below - 1 - index)
    const events = changes.map((change, index) => rowOf(change, placeAt(index)))
    const kind = this.#by.command === undefined ? 'edit' : 'command'
    const set = this.#changeSet === undefined ? changeSetOf(this.#by, { kind }, first.at) : undefined
    if (engineOf(db) === 'postgres') return writeOnPostgres(db, set ?? this.#changeSet!, events)
    await writeOnSqlite(db, set ?? this.#changeSet!, events)
  }
}

/**
 * The version of a record that is made again after its removal: higher than all that it had, so that no tag and no plan
 * from before fits. Each of those had an event, but for the first of a new database's classes, and what is older than
 * the log.
 */
export async function versionAgain(db: Db, record: LoggedRecord, id: number): Promise<number> {
  const { count } = await db
    .selectFrom('events')
    .select((q) => q.fn.countAll().as('count'))
    .where('record_id', '=', id)
    .where('record', '=', record)
    .executeTakeFirstOrThrow()
  return Number(count) + 1
}

/** Erases what the log tells of these records to those alone who may see it, and from where; that they changed stays. */
export async function eraseSecrets(db: Db, record: LoggedRecord, ids: readonly number[]): Promise<void> {
  await db
    .deleteFrom('event_secrets')
    .where((q) =>
      q.exists(
        q
          .selectFrom('events')
          .select('place')
          .whereRef('events.change_set_id', '=', 'event_secrets.change_set_id')
          .whereRef('events.place', '=', 'event_secrets.place')
          .where('record', '=', record)
          .where('record_id', 'in', ids),
      ),
    )
    .execute()
  await db
    .updateTable('change_sets')
    .set({ address: null })
    .where('id', 'in', (q) =>
      q
        .selectFrom('events')
        .select('change_set_id')
        .where('record', '=', record)
        .where('record_id', 'in', ids),
    )
    .execute()
}

function hasFields(fields: ChangedFields = {}): boolean {
  return Object.keys(fields).length > 0
}

type LoggedRow = ReturnType<typeof rowOf>

function rowOf(change: LoggedChange, placeAtEnd: number) {
  const { record, action, belongsTo, fields, secrets, place = placeAtEnd } = change
  return {
    place,
    record,
    record_id: 'id' in change ? change.id : null,
    newest_of: 'id' in change ? null : change.newestOf,
    action,
    belongs_to: belongsTo ?? null,
    fields: JSON.stringify(fields),
    secrets: hasFields(secrets) ? JSON.stringify(secrets) : null,
  }
}

function changeSetOf(by: Maker, { kind, note, undoes }: ChangeSetKind, at: Instant) {
  return {
    kind,
    user_id: by.userId ?? null,
    command: by.command ?? null,
    address: by.address ?? null,
    request_id: by.requestId ?? null,
    made_at: at,
    note: note ?? null,
    undoes: undoes ?? null,
  }
}

type NewChangeSet = ReturnType<typeof changeSetOf>

async function writeOnSqlite(db: Db, set: NewChangeSet | number, events: readonly LoggedRow[]) {
  if (typeof set === 'object') {
    await sql`${sql.raw(heldBack)}insert into change_sets
      (kind, user_id, command, address, request_id, made_at, note, undoes)
      values (${set.kind}, ${set.user_id}, ${set.command}, ${set.address}, ${set.request_id}, ${set.made_at},
        ${set.note}, ${set.undoes})`.execute(db)
  }
  // Works run one after another, so the newest change set is the one of this work.
  const id = typeof set === 'object' ? sql`(select max(id) from change_sets)` : sql`${set}`
  // Arrays in JSONB: see `jsonRows`. Here the SQL is one text, since a single record is written by it too.
  const rows = events.map(({ place, record, record_id, newest_of, action, belongs_to, fields }) => {
    return [place, record, record_id, newest_of, action, belongs_to, fields]
  })
  await sql`${sql.raw(heldBack)}insert into events
    (change_set_id, place, record, record_id, action, belongs_to, fields)
    select ${id}, value ->> 0, value ->> 1,
      coalesce(value ->> 2, (select seq from sqlite_sequence where name = value ->> 3)),
      value ->> 4, value ->> 5, value ->> 6 from jsonb_each(${JSON.stringify(rows)})`.execute(db)
  const secrets = events.flatMap(({ place, secrets }) => (secrets === null ? [] : [[place, secrets]]))
  if (secrets.length === 0) return
  await sql`${sql.raw(heldBack)}insert into event_secrets (change_set_id, place, fields)
    select ${id}, value ->> 0, value ->> 1 from jsonb_each(${JSON.stringify(secrets)})`.execute(db)
}

async function writeOnPostgres(
  db: Db,
  set: NewChangeSet | number,
  events: readonly LoggedRow[],
): Promise<void> {
  const made =
    typeof set === 'number'
      ? sql`select ${set}::bigint as id`
      : sql`insert into change_sets (kind, user_id, command, address, request_id, made_at, note, undoes)
          values (${set.kind}, ${set.user_id}, ${set.command}, ${set.address}, ${set.request_id}, ${set.made_at},
            ${set.note}, ${set.undoes}) returning id`
  await sql`with made as (${made}), given as (
      select * from json_to_recordset(${jsonBytes(events)}::json) as given
        (place bigint, record text, record_id bigint, action text, belongs_to bigint, fields text, secrets text)
    ), logged as (
      insert into events (change_set_id, place, record, record_id, action, belongs_to, fields)
      select made.id, place, record, record_id, action, belongs_to, fields from made cross join given
      returning change_set_id, place
    )
    insert into event_secrets (change_set_id, place, fields)
    select logged.change_set_id, logged.place, secrets from logged join given using (place)
    where secrets is not null`.execute(db)
}
