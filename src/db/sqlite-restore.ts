import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { flushFile, flushFolderOf } from './durable-files.ts'
import { faultsOfCopy, oneLine } from './sqlite-check.ts'
import { DatabaseFileError } from './sqlite-file.ts'
import { isSqliteFault } from './violations.ts'

/**
 * Copies a backup to a new file beside the database, and checks that the copy is whole and Registrar's.
 * @throws DatabaseFileError when it is not
 */
export async function copyBackup(file: string, path: string, fresh: string): Promise<void> {
  if (!existsSync(file)) throw new DatabaseFileError(`There is no file ${file}.`)
  if (!statSync(file).isFile()) throw new DatabaseFileError(`${file} is not a file.`)
  if (existsSync(path) && realpathSync(file) === realpathSync(path))
    throw new DatabaseFileError(`${file} is the present database itself.`)
  if (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0) {
    throw new DatabaseFileError(
      `${file} is a database in use, or a plain copy of one: ${file}-wal holds a part of it. Make a backup with: ./registrar.js backup FILE`,
    )
  }
  await pipeline(createReadStream(file), createWriteStream(fresh, { flags: 'wx', mode: 0o600 }))
  const [fault] = statSync(fresh).size === 0 ? ['it is empty'] : faultsOfCopy(fresh, 'elsewhere')
  if (fault === undefined) return
  throw new DatabaseFileError(`${file} can't be restored, and nothing was changed: ${oneLine(fault)}.`)
}

/**
 * Puts a checked file in the database's place, and keeps the present one under the name `aside`. There is a
 * database under the name at every moment.
 * @returns whether there was one to keep
 * @throws DatabaseFileError when another program has the present database open
 */
export function replaceSqliteFile(path: string, fresh: string, aside: string): boolean {
  flushFile(fresh)
  const wasThere = existsSync(path)
  if (wasThere) {
    settle(path)
    keepAs(path, aside)
  }
  // Only a file that is no database still has one: to a new file it must never belong.
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${aside}-wal`)
  rmSync(`${path}-shm`, { force: true })
  renameSync(fresh, path)
  flushFolderOf(path)
  return wasThere
}

/**
 * Brings what the -wal file holds into the database, which then is one plain file. A file that is no database
 * stays as it is: SQLite would remove its -wal.
 */
function settle(path: string): void {
  if (!isSqliteFile(path)) return
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: 1_000 })
    db.exec('pragma journal_mode = delete')
  } catch (error) {
    if (isSqliteFault(error, 'busy')) {
      throw new DatabaseFileError(
        `Another program has ${path} open. End it, and run the command again; nothing was changed.`,
        { cause: error },
      )
    }
  } finally {
    db?.close()
  }
}

/** Whether a file begins as every SQLite file does (https://www.sqlite.org/fileformat2.html §1.3). */
function isSqliteFile(path: string): boolean {
  const beginning = Buffer.alloc(16)
  const file = openSync(path, 'r')
  readSync(file, beginning)
  closeSync(file)
  return beginning.toString('latin1') === 'SQLite format 3\0'
}

/** A second name for the file, so that the first can be replaced in one step; a rename where links don't exist. */
function keepAs(path: string, aside: string): void {
  try {
    linkSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    renameSync(path, aside)
  }
}
