import {
  chmodSync,
  constants,
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { flushFile, flushFolderOf, giveToOwnerOf, removeUnfinished } from './durable-files.ts'
import { forgetBackup } from './last-backup.ts'
import { faultsOfCopy, oneLine } from './sqlite-check.ts'
import { DatabaseFileError, holdsAnything, isSqliteFile } from './sqlite-file.ts'
import { isSqliteFault } from './violations.ts'

/** The files beside a database that are a part of it. Without them, or with another database's, records are lost. */
const parts = ['-wal', '-journal']

/**
 * Copies a backup to a new file beside the database, and checks that the copy is whole and Registrar's.
 * @throws DatabaseFileError when it is not
 */
export async function copyBackup(file: string, path: string, fresh: string): Promise<void> {
  if (!existsSync(file)) throw new DatabaseFileError(`There is no file ${file}.`)
  if (!statSync(file).isFile()) throw new DatabaseFileError(`${file} is not a file.`)
  if (existsSync(path) && realpathSync(file) === realpathSync(path))
    throw new DatabaseFileError(`${file} is the present database itself.`)
  const part = parts.map((ending) => `${file}${ending}`).find(holdsAnything)
  if (part !== undefined) {
    throw new DatabaseFileError(
      `${file} is a database in use, or a plain copy of one: ${part} holds a part of it. Make a backup with: ./registrar.js backup FILE`,
    )
  }
  try {
    await pipeline(createReadStream(file), createWriteStream(fresh, { flags: 'wx', mode: 0o600 }))
    giveToOwnerOf(existsSync(path) ? path : dirname(resolve(path)), fresh)
  } catch (cause) {
    throw new DatabaseFileError(
      `${file} can't be copied beside the database, and nothing was changed: ${(cause as Error).message}. Check that this user may read it and write in that folder, and that there is room for it there.`,
      { cause },
    )
  }
  const [fault] = statSync(fresh).size === 0 ? ['it is empty'] : faultsOfCopy(fresh, 'elsewhere')
  if (fault === undefined) return
  throw new DatabaseFileError(`${file} can't be restored, and nothing was changed: ${oneLine(fault)}.`)
}

/**
 * Puts a checked file in the database's place, and keeps the present one under the name `aside`. At every moment
 * there is a whole database under the name: the present one or the new one.
 * @returns the files that are kept
 * @throws DatabaseFileError when another program has the present database open, or it can't be kept
 */
export function replaceSqliteFile(path: string, fresh: string, aside: string): string[] {
  flushFile(fresh)
  const kept: string[] = []
  if (existsSync(path)) {
    settle(path)
    keepCopy(path, aside)
    kept.push(aside)
  }
  // If there was no sound database, they are still there, and must never belong to the new file.
  for (const ending of parts.filter((ending) => existsSync(`${path}${ending}`))) {
    renameSync(`${path}${ending}`, `${aside}${ending}`)
    kept.push(`${aside}${ending}`)
  }
  rmSync(`${path}-shm`, { force: true })
  forgetBackup(path)
  flushFolderOf(path)
  renameSync(fresh, path)
  flushFolderOf(path)
  return kept
}

/**
 * Brings the content of the -wal into the database, and undoes what a -journal undoes. The result is one file. A file
 * that is no database stays as it is, because SQLite would remove its -wal.
 */
function settle(path: string): void {
  if (!isSqliteFile(path)) return
  try {
    using db = new DatabaseSync(path, { timeout: 1_000 })
    // Exclusive, so that it fails while another program has the file open.
    db.exec('pragma locking_mode = exclusive; begin exclusive; commit; pragma wal_checkpoint(truncate)')
  } catch (error) {
    if (isSqliteFault(error, 'busy')) {
      throw new DatabaseFileError(
        `Another program has ${path} open. End it, and run the command again; nothing was changed.`,
        { cause: error },
      )
    }
  }
}

/** A copy and not a hard link: a later write to one file must not reach the other. */
function keepCopy(path: string, aside: string): void {
  const partial = `${aside}.${process.pid}.partial`
  try {
    copyFileSync(path, partial, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    chmodSync(partial, 0o600)
    giveToOwnerOf(path, partial)
    flushFile(partial)
    renameSync(partial, aside)
  } catch (error) {
    removeUnfinished(partial)
    throw new DatabaseFileError(
      `The present database can't be kept as ${aside}, and nothing was changed: ${(error as Error).message}. Make room, or move ${path} away with its -wal and -journal, and run the command again.`,
      { cause: error },
    )
  }
}
