import type { ColumnType, Generated, Kysely } from 'kysely'
import type { ImportTables } from './import-tables.ts'

/**
 * A handle on the database. Outside a write it only reads; inside a write it is the write's transaction. Query
 * functions take it first, so the same function works in both.
 */
export type Db = Kysely<Tables>

/** How many ids make a block of `student_blocks`; migration 2 has the same number, and must not change. */
export const idsInBlock = 4096

/** A UTC instant, ISO 8601 with milliseconds and `Z`: sorts as text, and is what JSON carries. */
export type Instant = string

/** What every record table carries. `version` counts up with each change. */
export interface RecordColumns {
  id: Generated<number>
  version: Generated<number>
  created_at: ColumnType<Instant, Instant, never>
  updated_at: Instant
}

export interface Tables extends ImportTables {
  /** One row: facts about the installation. */
  platform: {
    id: number
    administrator_since: Instant | null
    /** The key of the HMACs in `idempotency_keys` and `login_pairs`. */
    idempotency_secret: Uint8Array
  }
  users: RecordColumns & {
    name: string
    email: string
    password_hash: string
    disabled_at: Instant | null
    /** 1 while the account has a password that an administrator set. */
    password_change_required: Generated<number>
    /** What the account is found by; see `text/search-words.ts`. */
    search_text: Generated<string>
    /** When the account was first granted a role; null: it never was. */
    granted_at: Generated<Instant | null>
    /** By whom the account was made, or from where it registered; null: not known. See `users/origin.ts`. */
    created_by: ColumnType<string | null, string | null | undefined, never>
    /** The last login; before the first one, when the account was made. */
    idle_since: Generated<Instant | null>
  }
  roles: RecordColumns & { name: string; built_in: number }
  role_permissions: { role_id: number; permission: string }
  /** `all_classes` is 0 where the role is granted for the classes of `user_role_classes` alone. */
  user_roles: { user_id: number; role_id: number; granted_at: Instant; all_classes: Generated<number> }
  user_role_classes: { user_id: number; role_id: number; class_id: number }
  /** One row a login; `key` is the SHA-256 of the token's `jti`. */
  sessions: {
    key: Uint8Array
    user_id: number
    created_at: Instant
    expires_at: Instant
    address: string | null
    /** What the client called itself (`User-Agent`). */
    client: string | null
    /** To the minute. */
    last_used_at: Instant | null
  }
  signing_keys: { kid: string; secret: Uint8Array; created_at: Instant }
  /** Counters of attempts; `level` drains or is reset as its rule says. */
  throttles: { key: string; level: number; blocked_until: Instant; updated_at: Instant }
  /** Pairs of account and client that have logged in; `hash` is an HMAC. */
  login_pairs: { hash: Uint8Array; user_id: number; used_at: Instant }
  classes: RecordColumns & {
    label: string
    label_key: string
    archived_at: Instant | null
    /** Where the class stands among the others; those alike, by id. */
    position: Generated<number>
  }
  /** How many students each class has, in parts, kept by triggers. A class that never had one has no row. */
  class_counts: { class_id: number; slot: number; students: number }
  students: RecordColumns & {
    name: string
    admission_number: string
    admission_key: string
    class_id: number
    folded_name: string
    /** The searchable text of the student; see `text/search-words.ts`. SQLite derives it from three columns. */
    search_text: Generated<string>
    /** SQLite only: what `search_text` has besides the words of `folded_name` and `admission_key`. */
    further_words: Generated<string>
    /** 1 where `name` is joined from the given and the family name. */
    name_joined: Generated<number>
    preferred_name: string | null
    given_name: string | null
    family_name: string | null
    /** What lists by family name are ordered by; null where there is none. */
    folded_family_name: string | null
    former_names: string | null
    email: string | null
    address: string | null
    /** `YYYY-MM-DD`. */
    date_of_birth: string | null
    gender: string | null
    notes: string | null
    /** JSON: an array of `{ system, value }`, which `student_identifiers` keeps unique. */
    identifiers: string | null
    /** JSON: an array of `{ name, relation, phone, email, address, note }`. */
    guardians: string | null
    /** JSON: the values of the school's own fields, by key, in the order of the fields' ids; null: none. */
    own_fields: string | null
  }
  /** Fields of the school's own. */
  fields: RecordColumns & {
    key: string
    label: string
    label_key: string
    kind: string
    /** JSON: what can be chosen; null where the kind has no options. */
    options: string | null
    sensitive: number
    /** Where the field stands among the others; those alike, by id. */
    position: number
    archived_at: Instant | null
  }
  /** One row: counts the changes of `fields`. */
  field_changes: { id: number; version: number; updated_at: Instant }
  /** What students have of fields with options, and of those with yes and no: an option, `true` or `false`. */
  student_field_values: { field_id: number; value_key: string; student_id: number }
  /** Who has an outside identifier: one student at the most. The keys are made by `uniqueKey`. */
  student_identifiers: { system_key: string; value_key: string; student_id: number }
  /** What students are found by of their guardians, a row a guardian; see `students/lists/guardians.ts`. */
  guardian_texts: {
    id: Generated<number>
    student_id: number
    names: string
    email: string | null
    digits: string | null
  }
  /** SQLite only: the index of `guardian_texts`, kept by triggers. */
  guardian_search: { rowid: number; guardian_search: string; names: string; digits: string | null }
  /** One row: what the school says of itself. */
  school: {
    id: number
    name: string | null
    address: string | null
    /** An IANA name. */
    time_zone: string
    name_order: 'given_first' | 'family_first'
    version: Generated<number>
    updated_at: Instant
  }
  /** Admission numbers that students had, and that no other student may get. */
  former_numbers: { admission_key: string; student_id: number; kept_since: Instant }
  /** The log: all changes of one request, import or command. */
  change_sets: {
    id: Generated<number>
    kind: string
    /** Whose request it was; null: a command's. No reference, since accounts can be removed. */
    user_id: number | null
    command: string | null
    address: string | null
    request_id: string | null
    made_at: Instant
    note: string | null
    /** The change set that this one undoes. */
    undoes: number | null
    /** The change set that undid this one. */
    undone_by: number | null
  }
  /**
   * One change of one record. `place` counts the events of a change set from 1. Of an import it is the place of the
   * row; negative for what belongs to no row.
   */
  events: {
    change_set_id: number
    place: number
    record: string
    record_id: number
    action: string
    /** The class that a student is in from then on; of one that is removed, was in. */
    belongs_to: number | null
    /** JSON: for each field that changed, what it was and what it is. */
    fields: string
  }
  /** The same of fields that only some may see. */
  event_secrets: { change_set_id: number; place: number; fields: string }
  /** The school's lists of students: what each asks for. */
  named_lists: RecordColumns & {
    name: string
    name_key: string
    /** JSON: parameters of a list of students, by name. */
    filters: string
    /** JSON: an array of names; null: those that a list has without being asked. */
    columns: string | null
    sorted_by: string
    /** JSON: how it is printed. */
    print: string
  }
  /** Pairs of students who look like one child, and are known to be two. */
  settled_pairs: { low_id: number; high_id: number; settled_by: number | null; settled_at: Instant }
  /** Creations that were asked for with an `Idempotency-Key`, for a day. */
  idempotency_keys: {
    user_id: number
    key: string
    fingerprint: Uint8Array
    record_id: number
    created_at: Instant
  }
  /** SQLite only: the index of what students are found by, kept by triggers. */
  student_search: { rowid: number; student_search: string }
  /** SQLite only: counts what may change a search's total, but for students that come; kept by triggers. */
  student_changes: { id: number; changes: number }
  /** How many students there are, in parts, kept by triggers; SQLite has one part. */
  student_counts: { slot: number; students: number }
  /** SQLite only: how many students each block of 4 096 ids holds, kept by triggers. */
  student_blocks: { block: number; students: number }
  schema_lock: { id: number }
  schema_migrations: { id: number; name: string; checksum: string; applied_at: Instant }
}
