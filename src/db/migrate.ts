import { CompiledQuery, sql } from 'kysely'
import { ExplainedError } from '../problems.ts'
import { engineOf } from './engine.ts'
import { checksumOf, statementsWith } from './migrations/checksums.ts'
import { migrations as known, type Migration } from './migrations/index.ts'
import type { Db } from './tables.ts'
import { isMadeMeanwhile } from './violations.ts'

/** A schema that this program cannot serve; the message says what to do. */
export class SchemaError extends ExplainedError {
  override readonly name = 'SchemaError'
}

/** How the database's schema compares with this program's. */
export interface SchemaState {
  readonly applied: readonly number[]
  readonly pending: readonly number[]
}

/**
 * Brings the schema up to date, forward only. Each migration and its record are one transaction. For an empty
 * database, all migrations are one transaction, so that another program sees either no schema or the whole. A
 * transaction begins by locking one row: of two programs one migrates, and a killed migration leaves nothing.
 * @param whenNew runs at the end of the transaction that makes the schema of an empty database
 * @returns the names of the migrations that ran
 * @throws SchemaError when the database is newer than this program or another program's, or a migration differs from
 * the one applied
 */
export async function migrate(
  db: Db,
  migrations: readonly Migration[] = known,
  { whenNew }: { whenNew?: (db: Db) => Promise<void> } = {},
): Promise<string[]> {
  if ((await schemaState(db, migrations)).pending.length === 0) return []
  await makeHistory(db)
  const ran: string[] = []
  for (let isDone = false; !isDone; ) {
    isDone = await db.transaction().execute(async (db) => {
      await db.updateTable('schema_lock').set({ id: 1 }).where('id', '=', 1).execute()
      const { applied, pending } = await schemaState(db, migrations)
      const due = applied.length === 0 ? pending : pending.slice(0, 1)
      for (const migration of migrations) if (due.includes(migration.id)) await apply(db, migration)
      if (applied.length === 0) await whenNew?.(db)
      ran.push(...migrations.filter(({ id }) => due.includes(id)).map(({ name }) => name))
      return due.length === pending.length
    })
  }
  return ran
}

async function apply(db: Db, migration: Migration): Promise<void> {
  const engine = engineOf(db)
  for (const statement of migration.statements[engine]) await db.executeQuery(CompiledQuery.raw(statement))
  await migration.fill?.(db, engine)
  const { id, name } = migration
  const applied_at = new Date().toISOString()
  await db
    .insertInto('schema_migrations')
    .values({ id, name, checksum: checksumOf(migration.statements[engine]), applied_at })
    .execute()
}

/** The two tables that migrations need, in words that both engines know. */
export const historyTables = [
  'create table if not exists "schema_lock" ("id" integer primary key)',
  'create table if not exists "schema_migrations" ("id" integer primary key, "name" text not null, "checksum" text not null, "applied_at" text not null)',
]

/**
 * Creates the two tables that migrations need. Of programs that start at once, one creates them and the others see
 * them.
 */
async function makeHistory(db: Db, triesLeft = 5): Promise<void> {
  try {
    await db.transaction().execute(async (db) => {
      for (const statement of historyTables) await db.executeQuery(CompiledQuery.raw(statement))
      await db
        .insertInto('schema_lock')
        .values({ id: 1 })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
  } catch (error) {
    if (!isMadeMeanwhile(error) || triesLeft === 0) throw error
    await makeHistory(db, triesLeft - 1)
  }
}

/** Compares the database's schema with this program's. @throws SchemaError as `migrate` does */
export async function schemaState(db: Db, migrations: readonly Migration[] = known): Promise<SchemaState> {
  const rows = await appliedMigrations(db)
  for (const row of rows) {
    const migration = migrations.find(({ id }) => id === row.id)
    if (migration === undefined) {
      throw new SchemaError(
        `The database was migrated by a newer Registrar (its schema is ${row.id}, this one knows ${migrations.at(-1)?.id}). Start that version or a later one.`,
      )
    }
    if (statementsWith(row.checksum, migration, engineOf(db)) === undefined) {
      throw new SchemaError(
        `Migration ${row.id} (${row.name}) differs from the one that the database was made with. Start the Registrar that made it.`,
      )
    }
  }
  const applied = rows.map(({ id }) => id)
  return { applied, pending: migrations.map(({ id }) => id).filter((id) => !applied.includes(id)) }
}

/** @throws SchemaError when the tables are another program's */
async function appliedMigrations(db: Db) {
  const tables = await tablesOf(db)
  const isHistory = ({ name, historyColumns }: FoundTable) =>
    name === 'schema_migrations' && historyColumns === 4
  if (tables.some(isHistory)) {
    const rows = await db.selectFrom('schema_migrations').selectAll().orderBy('id').execute()
    if (rows.length > 0) return rows
  }
  const others = tables.filter((table) => table.name !== 'schema_lock' && !isHistory(table))
  if (others.length === 0) {
    await requireSchema(db)
    return []
  }
  const some = others.slice(0, 3).map(({ name }) => name)
  const names = [...some, ...(others.length > some.length ? ['…'] : [])].join(', ')
  throw new SchemaError(
    `The database holds tables that are not Registrar's (${names}). Give Registrar a database of its own: name another one in the URL.`,
  )
}

/** A role that may not use PostgreSQL's schema sees no tables in it. @throws SchemaError */
async function requireSchema(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db)
  if (rows[0]?.name === null)
    throw new SchemaError(
      'The role in the URL may use no schema of the database. As the owner of the database, run: grant usage on schema public to the role in the URL.',
    )
}

/** A table or view, and how many of its columns have the names of those of `schema_migrations`. */
interface FoundTable {
  readonly name: string
  readonly historyColumns: number
}

/** The tables and views that statements find by their name alone, without those of extensions. */
async function tablesOf(db: Db): Promise<FoundTable[]> {
  const columns = sql`('id', 'name', 'checksum', 'applied_at')`
  const { rows } = await (engineOf(db) === 'sqlite'
    ? sql<FoundTable>`
        select name, (
          select count(*) from pragma_table_info(t.name) where name in ${columns}) as "historyColumns"
        from sqlite_schema as t where type in ('table', 'view') and name not like 'sqlite~_%' escape '~'
        order by name`
    : sql<FoundTable>`
        select relname as name, (
          select count(*) from pg_attribute where attrelid = c.oid and attname in ${columns}) as "historyColumns"
        from pg_class as c join pg_namespace as n on n.oid = relnamespace
        where relkind in ('r', 'p', 'v', 'm', 'f') and pg_table_is_visible(c.oid)
          and nspname !~ '^(pg_|information_schema$)' and not exists (
            select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
        order by relname`
  ).execute(db)
  return rows
}
