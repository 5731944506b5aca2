import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { historyTables } from './migrate.ts'
import { statementsWith } from './migrations/checksums.ts'
import { migrations } from './migrations/index.ts'
import { applicationId, checkSqliteFile, DatabaseFileError, holdsAnything } from './sqlite-file.ts'
import { idsInBlock } from './tables.ts'
import { isSqliteFault } from './violations.ts'

/** How thoroughly a database is looked at: `quick` leaves out what the indexes hold. */
type CheckDepth = 'quick' | 'full'

/** What SQLite finds wrong with a database's pages, rows and references, in words; nothing when it is whole. */
export function integrityFaults(db: DatabaseSync, depth: CheckDepth): string[] {
  return collectFaults(() => {
    const found = depth === 'full' ? textsOf(db, 'pragma integrity_check(20)') : quickCheck(db)
    const orphans = textsOf(db, 'pragma foreign_key_check') // the first column is the table
    return [
      ...found.filter((text) => text !== 'ok'),
      ...new Set(orphans.map((table) => `rows of ${table} refer to rows that are not there`)),
    ]
  })
}

/** The first column of each row. */
function textsOf(db: DatabaseSync, sql: string): string[] {
  return db
    .prepare(sql)
    .all()
    .map((row) => String(Object.values(row)[0]))
}

/** Checks each table that has pages. For a virtual table SQLite would compare the whole index with its texts. */
function quickCheck(db: DatabaseSync): string[] {
  const tables = "select name from sqlite_schema where type = 'table' and rootpage > 0 order by rootpage"
  return textsOf(db, tables).flatMap((name) =>
    textsOf(db, `pragma quick_check('${name.replaceAll("'", "''")}')`),
  )
}

/**
 * What the schema has that its migrations did not make, or lacks: somebody altered the file. An index that an
 * operator added is no fault unless it is unique, because a unique one decides what may be stored. `schemaState`
 * deals with a schema that is newer than this program.
 */
export function schemaFaults(db: DatabaseSync): string[] {
  return collectFaults(() => {
    if (!hasTable(db, 'schema_migrations')) return ['it holds no schema yet']
    const applied = db.prepare('select id, checksum from schema_migrations order by id').all() as {
      id: number
      checksum: string
    }[]
    const ran = migrations.flatMap((migration) => {
      const { checksum } = applied.find(({ id }) => id === migration.id) ?? {}
      if (checksum === undefined) return []
      return [statementsWith(checksum, migration, 'sqlite') ?? migration.statements.sqlite]
    })
    if (ran.length < applied.length) return []
    using model = new DatabaseSync(':memory:')
    for (const statement of [...ran.flat(), ...historyTables]) model.exec(statement)
    const expected = new Map(definitionsOf(model).map(({ name, sql }) => [name, sql]))
    const found = definitionsOf(db)
    const names = new Set(found.map(({ name }) => name))
    return [
      ...[...expected.keys()].filter((name) => !names.has(name)).map((name) => `the ${name} is missing`),
      ...found
        .filter(({ name, sql }) => !expected.has(name) && !mayBeAdded(sql))
        .map(({ name }) => `the ${name} is not Registrar's`),
      ...found
        .filter(({ name, sql }) => expected.has(name) && expected.get(name) !== sql)
        .map(({ name }) => `the ${name} was altered`),
    ]
  })
}

/** What `ANALYZE` makes. */
const statistics = [
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
]

function mayBeAdded(sql: string): boolean {
  return sql.startsWith('CREATE INDEX ') || statistics.includes(sql)
}

interface Definition {
  /** Such as `table students`. */
  readonly name: string
  readonly sql: string
}

/**
 * Everything that a schema defines, row by row, because an altered file may hold a name twice. Entries without SQL
 * are implied by a table.
 */
function definitionsOf(db: DatabaseSync): Definition[] {
  return db
    .prepare("select type || ' ' || name as name, sql from sqlite_schema where sql is not null")
    .all() as unknown as Definition[]
}

function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare('select 1 from sqlite_schema where name = ?').get(name) !== undefined
}

/** Whether the counters of students are right. A schema without counters has no fault. */
export function counterFaults(db: DatabaseSync): string[] {
  return collectFaults(() => {
    if (!hasTable(db, 'student_blocks')) return []
    const differ = (counted: string, kept: string) =>
      textsOf(db, `${counted} except ${kept}`).length + textsOf(db, `${kept} except ${counted}`).length > 0
    const block = `id / ${idsInBlock}`
    const areWrong =
      differ('select count(*) from students', 'select sum(students) from student_counts') ||
      differ(
        `select ${block}, count(*) from students group by ${block}`,
        'select block, students from student_blocks where students <> 0',
      ) ||
      (hasTable(db, 'class_counts') &&
        differ(
          'select class_id, count(*) from students group by class_id',
          'select class_id, students from class_counts where students <> 0',
        ))
    return areWrong ? ['the counters of students do not match the students'] : []
  })
}

/** The search indexes, and what is told where one is wrong. A schema may be too old for the second. */
const searchIndexes = [
  ['student_search', 'the search index does not match the students'],
  ['guardian_search', 'the index of guardians does not match the guardians'],
] as const

/**
 * Whether the search indexes have exactly what there is. Takes the write lock while it checks. If it cannot, for
 * example because of another writer, it reports SQLite's message.
 */
export function searchIndexFaults(db: DatabaseSync): string[] {
  return collectFaults(() =>
    searchIndexes.flatMap(([index, fault]) => {
      if (!hasTable(db, index)) return []
      try {
        db.exec(`insert into ${index} (${index}, rank) values ('integrity-check', 1)`)
        return []
      } catch (error) {
        if (!isSqliteFault(error, 'corrupt')) throw error
        return [fault]
      }
    }),
  )
}

/**
 * Everything that is wrong with a database that nobody else uses, such as a copy. For a file from elsewhere the
 * schema is checked too, before the search index, so that no foreign trigger ever runs. Leaves one file without -wal.
 */
export function faultsOfCopy(path: string, origin: 'our own' | 'elsewhere'): string[] {
  return collectFaults(() => {
    using db = new DatabaseSync(path)
    db.exec('pragma trusted_schema = off')
    if (db.prepare('pragma application_id').get()?.application_id !== applicationId)
      return ['it is not a Registrar database']
    db.exec('pragma journal_mode = delete')
    const faults = [...integrityFaults(db, 'full'), ...(origin === 'elsewhere' ? schemaFaults(db) : [])]
    return faults.length > 0 ? faults : searchIndexFaults(db)
  })
}

/**
 * A non-empty -wal means that the file was not closed cleanly. The database is then checked before anybody writes to
 * it. If it is sound, the content of the -wal is brought into it.
 * @returns what is wrong with it, in words: it may be read and not written
 * @throws DatabaseFileError when it is no database, or can't be made durable
 */
export function checkAfterUncleanStop(path: string): string | undefined {
  if (!existsSync(path) || !holdsAnything(`${path}-wal`)) return undefined
  checkSqliteFile(path)
  const [fault] = quickFaults(path)
  if (fault !== undefined) return oneLine(fault)
  emptyLog(path)
  return undefined
}

function quickFaults(path: string): string[] {
  using db = new DatabaseSync(path, { readOnly: true })
  return integrityFaults(db, 'quick')
}

/**
 * Writes the content of the -wal into the database, flushes it and empties the -wal. After a failed flush, the system
 * may hold in memory what the disk never got, and not flush it again. Writing it anew makes it durable.
 * @throws DatabaseFileError when it can't be written, or another program prevents it
 */
function emptyLog(path: string): void {
  let reason = 'another program is reading or writing it'
  try {
    using db = new DatabaseSync(path, { timeout: 5_000 })
    db.exec('pragma synchronous = full')
    if (db.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0) return
  } catch (error) {
    reason = (error as Error).message
  }
  throw new DatabaseFileError(
    `The database ${path} was not closed cleanly, and what its -wal file holds can't be brought into it: ${reason}. End other programs that use it, look at the disk, and start again.`,
  )
}

/** A fault as part of a sentence. */
export function oneLine(fault: string): string {
  return fault.replace(/\s*\n\s*/g, ' ').trim()
}

/** A database that is too damaged to be checked is one fault. */
function collectFaults(look: () => string[]): string[] {
  try {
    return look()
  } catch (error) {
    return [(error as Error).message]
  }
}
