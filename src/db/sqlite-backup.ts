import { existsSync, renameSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { flushFile, flushFolderOf, makePrivateFile, withUnfinished } from './durable-files.ts'
import { faultsOfCopy, oneLine } from './sqlite-check.ts'
import { DatabaseFileError } from './sqlite-file.ts'

/** Copies a database's pages into a file. */
type Copy = (source: DatabaseSync, file: string) => Promise<unknown>

/**
 * Copies a database that may be in use, as one snapshot. Every table's rows are counted before the copy and after.
 * The file gets its name when it is whole, checked and on disk.
 * @param copy copies the pages; its result is checked
 * @returns its size, and its rows by table, without SQLite's own tables and the search index's
 * @throws DatabaseFileError when the file exists, can't be written, or isn't the snapshot
 */
export async function backUpSqlite(path: string, target: string, copy: Copy = backup) {
  refuseExisting(target)
  const folder = dirname(resolve(target))
  if (!existsSync(folder))
    throw new DatabaseFileError(`The backup ${target} can't be made: the folder ${folder} does not exist.`)
  const partial = `${target}.${process.pid}.partial`
  try {
    return await withUnfinished(partial, async () => {
      makePrivateFile(partial)
      const rows = await copySnapshot(path, partial, copy)
      const [fault] = faultsOfCopy(partial, 'our own')
      if (fault !== undefined)
        throw new DatabaseFileError(`The copy is not sound, and was not kept: ${oneLine(fault)}.`)
      compareCounts(rows, partial)
      flushFile(partial)
      refuseExisting(target)
      renameSync(partial, target)
      flushFolderOf(target)
      return { bytes: statSync(target).size, rows }
    })
  } catch (error) {
    if (error instanceof DatabaseFileError) throw error
    throw new DatabaseFileError(`The backup ${target} can't be made: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

function refuseExisting(target: string): void {
  if (existsSync(target)) throw new DatabaseFileError(`${target} exists; a backup never overwrites a file.`)
}

/**
 * The copy is made inside the read transaction that counted. SQLite then copies this snapshot, and does not start
 * again when another process writes.
 */
async function copySnapshot(path: string, partial: string, copy: Copy): Promise<Record<string, number>> {
  using source = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  source.exec('begin')
  const rows = countTables(source)
  await copy(source, partial)
  return rows
}

function countTables(db: DatabaseSync): Record<string, number> {
  const tables = db
    .prepare(
      "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
    )
    .all()
  return Object.fromEntries(
    tables.map(({ name }) => {
      const quoted = `"${String(name).replaceAll('"', '""')}"`
      return [String(name), Number(db.prepare(`select count(*) as count from ${quoted}`).get()!.count)]
    }),
  )
}

function compareCounts(expected: Record<string, number>, partial: string): void {
  using db = new DatabaseSync(partial, { readOnly: true })
  const copied = countTables(db)
  for (const table of new Set([...Object.keys(expected), ...Object.keys(copied)])) {
    if (expected[table] === copied[table]) continue
    throw new DatabaseFileError(
      `The copy was not kept: it holds ${copied[table] ?? 'no'} rows of ${table}, and the database ${expected[table] ?? 'none'}.`,
    )
  }
}
