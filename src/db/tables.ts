import type { ColumnType, Generated, Kysely } from 'kysely'

/**
 * A handle on the database: outside a write it reads; inside one it is the write's transaction.
 * Query functions take it first, so the same function serves in both places.
 */
export type Db = Kysely<Tables>

/** A UTC instant, ISO 8601 with milliseconds and `Z`: sorts as text, and is what JSON carries. */
export type Instant = string

/** What every record table carries. `version` counts up with each change. */
interface RecordColumns {
  id: Generated<number>
  version: Generated<number>
  created_at: ColumnType<Instant, Instant, never>
  updated_at: Instant
}

export interface Tables {
  /** One row: facts about the installation. */
  platform: { id: number; administrator_since: Instant | null }
  users: RecordColumns & {
    name: string
    email: string
    password_hash: string
    disabled_at: Instant | null
  }
  roles: RecordColumns & { name: string; built_in: number }
  role_permissions: { role_id: number; permission: string }
  user_roles: { user_id: number; role_id: number; granted_at: Instant }
  /** One row a login; `key` is the SHA-256 of the token's `jti`. */
  sessions: { key: Uint8Array; user_id: number; created_at: Instant; expires_at: Instant }
  signing_keys: { kid: string; secret: Uint8Array; created_at: Instant }
  /** Counters of attempts; `level` drains or is reset as its rule says. */
  throttles: { key: string; level: number; blocked_until: Instant; updated_at: Instant }
  classes: RecordColumns & { label: string; label_key: string }
  students: RecordColumns & {
    name: string
    admission_number: string
    admission_key: string
    class_id: number
    folded_name: string
    search_text: string
  }
  /** SQLite only: the index of what students are found by, kept by triggers. */
  student_search: { rowid: number; student_search: string }
  /** SQLite only: how many students a pattern's search finds, kept by triggers. */
  search_totals: { pattern: string; students: number }
  /** How many students there are, in parts, kept by triggers; SQLite has one part. */
  student_counts: { slot: number; students: number }
  /** SQLite only: how many students each block of 4 096 ids holds, kept by triggers. */
  student_blocks: { block: number; students: number }
  schema_lock: { id: number }
  schema_migrations: { id: number; name: string; checksum: string; applied_at: Instant }
}
