import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'
import { ExplainedError } from '../problems.ts'
import { giveToOwnerOf, makePrivateFile, removeUnfinished } from './durable-files.ts'
import { isSqliteFault } from './violations.ts'

/** Marks a SQLite file as Registrar's (`PRAGMA application_id`): "Regr" in ASCII. */
export const applicationId = 0x52656772

/** A database file that cannot be used; the message says why and what to do. */
export class DatabaseFileError extends ExplainedError {
  override readonly name = 'DatabaseFileError'
}

/** The only folder that is created when it is missing: the default database's. */
const defaultFolder = 'data'

/**
 * Checks that the file is a Registrar database, and creates it when it is missing. A new file is completed under
 * another name and then renamed, so that a kill never leaves half of one.
 * @throws DatabaseFileError
 */
export function prepareSqliteFile(path: string): void {
  if (!isThere(path)) makeSqliteFile(path)
  checkSqliteFile(path)
}

/** @throws DatabaseFileError when this user may not look, so that nobody takes a closed folder for an empty one */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EACCES') return false
    throw new DatabaseFileError(
      `The database ${path} can't be reached: ${reason(cause)}. Run this as the user that serves, or let this user enter the folder.`,
      { cause },
    )
  }
}

/** Checks that there is a database. @throws DatabaseFileError, whose message says what to do */
export function checkDatabase(path: string): void {
  if (!isThere(path)) {
    refuseWithPart(path)
    throw new DatabaseFileError(
      `There is no database at ${path}. Start the server once (npm start) or run ./registrar.js migrate to make it; if the server runs in another folder, run this there or set DATABASE_URL.`,
    )
  }
  checkSqliteFile(path)
}

/**
 * Checks that a server can begin here, and creates nothing. The database must exist, or its folder. Only a folder
 * named `data` may be missing: it is created later.
 * @throws DatabaseFileError
 */
export function checkPlace(path: string): void {
  const folder = dirname(path)
  const needed = basename(folder) === defaultFolder ? dirname(folder) : folder
  if (isThere(path)) checkSqliteFile(path)
  else if (!existsSync(needed))
    throw new DatabaseFileError(`The folder ${needed} does not exist. Make it, or set DATABASE_URL.`)
}

function makeSqliteFile(path: string): void {
  const folder = dirname(resolve(path))
  const fresh = `${path}.new`
  refuseWithPart(path)
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new DatabaseFileError(`The link ${path} leads nowhere. Remove it, or set DATABASE_URL.`)
  try {
    makeDefaultFolder(path)
    removeUnfinished(fresh)
    makePrivateFile(fresh)
    const db = new DatabaseSync(fresh)
    db.exec(`pragma journal_mode = wal; pragma application_id = ${applicationId}`)
    db.close()
    giveToOwnerOf(folder, fresh)
    renameSync(fresh, path)
  } catch (cause) {
    const why = existsSync(folder) ? reason(cause) : 'the folder does not exist'
    throw new DatabaseFileError(
      `The database ${path} can't be made: ${why}. Make the folder writable for this user, or set DATABASE_URL.`,
      { cause },
    )
  }
}

/** A `-wal` that is empty may be of a database that is served, and was moved away. @throws DatabaseFileError */
function refuseWithPart(path: string): void {
  const [log, journal] = [`${path}-wal`, `${path}-journal`]
  const part = existsSync(log) ? log : holdsAnything(journal) ? journal : undefined
  if (part === undefined) return
  throw new DatabaseFileError(
    `There is no database at ${path}, but ${part}, which is a part of one. Put that database back in its place, or move ${part} away.`,
  )
}

function makeDefaultFolder(path: string): void {
  const folder = dirname(resolve(path))
  if (basename(folder) === defaultFolder && !existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
}

/**
 * Checks that the file is Registrar's and can be read. First a write that was killed is undone, and the file is put
 * into WAL mode.
 * @throws DatabaseFileError when the file can't be opened, isn't Registrar's, or has a second name
 */
export function checkSqliteFile(path: string): void {
  try {
    if (!isOurs(path)) {
      throw new DatabaseFileError(
        `${path} is not a Registrar database. Set DATABASE_URL to another file, or move this one away.`,
      )
    }
    refuseSecondName(path)
    rollBack(path)
    turnToWal(path)
    readSchemaVersion(path, { readOnly: true })
    chmodSync(path, 0o600)
  } catch (error) {
    if (error instanceof DatabaseFileError) throw error
    throw new DatabaseFileError(
      `The database ${path} can't be opened: ${reason(error)}. Check that this user may read and write the file and its folder.`,
      { cause: error },
    )
  }
}

/** Whether a file begins as Registrar's do: https://www.sqlite.org/fileformat2.html §1.3. */
function isOurs(path: string): boolean {
  return isSqliteFile(path) && headerOf(path).readUInt32BE(68) === applicationId
}

/** Whether a file begins as every SQLite file does. */
export function isSqliteFile(path: string): boolean {
  return statSync(path).isFile() && headerOf(path).toString('latin1', 0, 16) === 'SQLite format 3\0'
}

function headerOf(path: string): Buffer {
  const header = Buffer.alloc(100)
  const file = openSync(path, 'r')
  readSync(file, header)
  closeSync(file)
  return header
}

/** SQLite finds the -wal and the lock by name. Under two names, two programs would not see each other's writes. */
function refuseSecondName(path: string): void {
  const { nlink, ino, dev } = statSync(path)
  if (nlink < 2) return
  const folder = dirname(path)
  const others = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((other) => other !== path && isSameFile(other, { ino, dev }))
  const where = others.length > 0 ? `: ${others.join(', ')}` : ''
  throw new DatabaseFileError(
    `${path} has a second name (a hard link)${where}. Through it another program could damage the database. Remove the second name, which leaves the file; find ${folder} -samefile ${path} lists the names.`,
  )
}

function isSameFile(path: string, { ino, dev }: Pick<Stats, 'ino' | 'dev'>): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.ino === ino && found.dev === dev
}

/**
 * A write that was killed outside WAL mode leaves a -journal that undoes it. A read-only connection cannot play it
 * back, so this is done first, while no server serves.
 * @throws DatabaseFileError when one does
 */
function rollBack(path: string): void {
  if (!holdsAnything(`${path}-journal`)) return
  using _lock = lockForServing(path)
  readSchemaVersion(path, { timeout: 1_000 })
}

/** The least that makes SQLite read a file, and play back its -journal. */
function readSchemaVersion(path: string, options: DatabaseSyncOptions): void {
  using db = new DatabaseSync(path, options)
  db.prepare('pragma schema_version').get()
}

/**
 * A copied file, or one whose writer was killed, may not be in WAL mode. It is changed here, while nobody reads:
 * later the reading connection would lock out the writing thread.
 */
function turnToWal(path: string): void {
  const inWal = 2
  if (headerOf(path)[18] === inWal) return
  try {
    using db = new DatabaseSync(path, { timeout: 1_000 })
    db.exec('pragma journal_mode = wal')
  } catch {
    // In use by another program, damaged, or read-only: the next user of the file reports it.
  }
}

/** Whether there is a file, and it is not empty. */
export function holdsAnything(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Held while somebody uses the file. It ends with the process, also by kill -9. */
interface FileLock extends Disposable {
  release(): void
}

/*
 * An open transaction on a `.lock` database beside the file decides who may use it together. A server holds the write
 * transaction, and commands hold read transactions beside it. A copy or a restore holds an exclusive one.
 */

/**
 * Claims the file for this server. Commands go on beside it.
 * @throws DatabaseFileError when another server holds it
 */
export function lockForServing(path: string): FileLock {
  return lock(
    path,
    'begin immediate',
    `Another Registrar server is using ${path}. Stop it first, or set DATABASE_URL to another file.`,
  )
}

/**
 * Claims the file for this process alone, because changes of a command in between would be lost. Waits 5 s for
 * commands.
 * @throws DatabaseFileError when a server or a command holds it
 */
export function lockAlone(path: string): FileLock {
  lockForServing(path).release()
  return lock(path, 'begin exclusive', `A command is using ${path}. Run this again when it has ended.`, 5_000)
}

/**
 * Claims the file for a command that may write to it.
 * @throws DatabaseFileError at once when somebody holds it alone: after a wait, the command's change would come too
 * late
 */
export function lockForCommand(path: string): FileLock {
  return lock(
    path,
    'begin; select 1 from sqlite_schema',
    `${path} is in use by copy, restore or a server of an older version. Run the command again when that has ended.`,
  )
}

function lock(path: string, begin: string, inUse: string, timeout = 0): FileLock {
  const lockPath = `${path}.lock`
  let db: DatabaseSync | undefined
  try {
    makeDefaultFolder(path)
    if (!existsSync(lockPath)) makeLockFile(path, lockPath)
    db = new DatabaseSync(lockPath, { timeout })
    db.exec(begin)
  } catch (cause) {
    db?.close()
    throw new DatabaseFileError(
      isSqliteFault(cause, 'busy')
        ? inUse
        : `The lock ${lockPath} can't be made: ${reason(cause)}. Check that the folder exists and this user may write in it.`,
      { cause },
    )
  }
  const held = db
  const release = () => held.close()
  return { release, [Symbol.dispose]: release }
}

/** If root creates it, it gets the owner of the database, so that the server may use it. */
function makeLockFile(path: string, lockPath: string): void {
  closeSync(openSync(lockPath, 'a', 0o600))
  if (existsSync(path)) giveToOwnerOf(path, lockPath)
}
