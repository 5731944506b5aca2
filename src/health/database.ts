import { sql } from 'kysely'
import { engineOf } from '../db/engine.ts'
import { lastBackupOf } from '../db/last-backup.ts'
import type { Db, Instant } from '../db/tables.ts'

/** What is told of the database. */
interface AboutDatabase {
  readonly engine: 'sqlite' | 'postgres'
  readonly engine_version: string
  readonly database_bytes: number
  /** null: not known. */
  readonly last_backup: Instant | null
}

export async function aboutDatabase(db: Db): Promise<AboutDatabase> {
  return engineOf(db) === 'postgres' ? aboutPostgres(db) : aboutSqlite(db)
}

async function aboutSqlite(db: Db): Promise<AboutDatabase> {
  const { rows } = await sql<{ version: string; bytes: number; file: string }>`
    select sqlite_version() as version, page_count * page_size as bytes,
      (select file from pragma_database_list where name = 'main') as file
    from pragma_page_count, pragma_page_size`.execute(db)
  const { version, bytes, file } = rows[0]!
  return {
    ...{ engine: 'sqlite', engine_version: version, database_bytes: bytes },
    last_backup: lastBackupOf(file) ?? null,
  }
}

async function aboutPostgres(db: Db): Promise<AboutDatabase> {
  const { rows } = await sql<{ version: string; bytes: string }>`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::text as bytes`.execute(db)
  const { version, bytes } = rows[0]!
  return { engine: 'postgres', engine_version: version, database_bytes: Number(bytes), last_backup: null }
}
