import { sql } from 'kysely'
import { ExplainedError } from '../problems.ts'
import { countOf } from './pages.ts'
import type { Db, Tables } from './tables.ts'

type CopiedTable = Exclude<
  keyof Tables,
  | 'student_search'
  | 'guardian_search'
  | 'student_changes'
  | 'student_counts'
  | 'student_blocks'
  | 'class_counts'
  | 'schema_lock'
  | 'schema_migrations'
>

/** Tables of one row, whose id is no serial number. */
const ofOneRow: readonly string[] = ['platform', 'field_changes', 'school']

/** Every table with rows of its own and its order; each stands after those that it refers to. */
const tables: readonly (readonly [table: CopiedTable, key: readonly string[]])[] = [
  ['platform', ['id']],
  ['users', ['id']],
  ['roles', ['id']],
  ['role_permissions', ['role_id', 'permission']],
  ['sessions', ['key']],
  ['signing_keys', ['kid']],
  ['throttles', ['key']],
  ['login_pairs', ['hash']],
  ['classes', ['id']],
  ['user_roles', ['user_id', 'role_id']],
  ['user_role_classes', ['user_id', 'role_id', 'class_id']],
  ['students', ['id']],
  ['fields', ['id']],
  ['field_changes', ['id']],
  ['student_field_values', ['field_id', 'value_key', 'student_id']],
  ['student_identifiers', ['system_key', 'value_key']],
  ['guardian_texts', ['id']],
  ['settled_pairs', ['low_id', 'high_id']],
  ['named_lists', ['id']],
  ['school', ['id']],
  ['former_numbers', ['admission_key']],
  ['idempotency_keys', ['user_id', 'key']],
  ['change_sets', ['id']],
  ['events', ['change_set_id', 'place']],
  ['event_secrets', ['change_set_id', 'place']],
  ['imports', ['id']],
  ['import_chunks', ['import_id', 'place']],
  ['import_rows', ['import_id', 'place']],
  ['import_plan', ['import_id', 'place']],
  ['import_decisions', ['import_id', 'place']],
  ['import_mappings', ['id']],
]

const batchSize = 1_000

/** The progress of a copy: rows copied of a table, and its number of rows. */
type CopyProgress = (table: string, copied: number, total: number) => void

/**
 * Copies every row, ids included, in one transaction into a migrated database that nobody has used. The source is
 * read in one transaction too. On SQLite no other program can write to it meanwhile.
 * @returns rows by table, counted on both sides
 * @throws ExplainedError when the target holds records, or the counts differ afterwards
 */
export async function copyRecords(from: Db, to: Db, progress: CopyProgress): Promise<Record<string, number>> {
  return from
    .transaction()
    .execute((from) => to.transaction().execute((to) => copyTables(from, to, progress)))
}

async function copyTables(from: Db, to: Db, progress: CopyProgress): Promise<Record<string, number>> {
  await countRows(from, 'platform') // the source's snapshot begins with the first statement, and nobody writes from then on
  await refuseUsed(to)
  for (const [table] of tables.toReversed()) await sql`delete from ${sql.table(table)}`.execute(to)
  const counts: Record<string, number> = {}
  for (const [table, key] of tables) {
    counts[table] = await copyTable(from, to, table, key, progress)
    if (key[0] === 'id' && !ofOneRow.includes(table)) await continueIds(from, to, table)
  }
  await rememberEmptiedClasses(from, to)
  return counts
}

async function refuseUsed(db: Db): Promise<void> {
  for (const table of ['users', 'students', 'sessions'] as const) {
    if ((await countRows(db, table)) > 0) {
      throw new ExplainedError(`The target is not empty: it holds ${table}. Copy into a new database.`)
    }
  }
}

async function copyTable(
  from: Db,
  to: Db,
  table: CopiedTable,
  key: readonly string[],
  progress: CopyProgress,
): Promise<number> {
  const total = await countRows(from, table)
  let copied = 0
  let after: readonly unknown[] | undefined
  const columns = sql.join(key.map((column) => sql.ref(column)))
  while (copied < total) {
    const start = after && sql`where (${columns}) > (${sql.join(after)})`
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} ${start ?? sql``} order by ${columns} limit ${batchSize}`.execute(
      from,
    )
    if (rows.length === 0) break
    for (const row of rows) delete row.further_words // of which, and of others, SQLite makes `search_text`
    await to
      .insertInto(table)
      .values(rows as never)
      .execute()
    copied += rows.length
    const last = rows.at(-1)!
    after = key.map((column) => last[column])
    progress(table, copied, total)
  }
  const arrived = await countRows(to, table)
  if (arrived !== total)
    throw new ExplainedError(`${table}: ${total} rows, of which ${arrived} arrived. Nothing was kept.`)
  return arrived
}

/** Triggers have counted the students. They cannot know which empty classes once had some. */
async function rememberEmptiedClasses(from: Db, to: Db): Promise<void> {
  const classes = await from.selectFrom('class_counts').select('class_id').distinct().execute()
  for (const { class_id } of classes) {
    await to
      .insertInto('class_counts')
      .values({ class_id, slot: 0, students: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** The next id is above every id of the source, also of removed records. */
async function continueIds(from: Db, to: Db, table: CopiedTable): Promise<void> {
  const { rows } = await sql<{ last: number }>`
    select max(last) as last from (
      select max(id) as last from ${sql.table(table)}
      union all select seq from sqlite_sequence where name = ${table}
    ) as given`.execute(from)
  const next = Number(rows[0]?.last ?? 0) + 1
  await sql`alter table ${sql.table(table)} alter column id restart with ${sql.lit(next)}`.execute(to)
}

function countRows(db: Db, table: CopiedTable): Promise<number> {
  return countOf(db.selectFrom(table))
}
