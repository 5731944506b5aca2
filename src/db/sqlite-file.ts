import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ExplainedError } from '../problems.ts'
import { isSqliteFault } from './violations.ts'

/** Marks a SQLite file as Registrar's (`PRAGMA application_id`): "Regr" in ASCII. */
export const applicationId = 0x52656772

/** A database file that cannot be used; the message says why and what to do. */
export class DatabaseFileError extends ExplainedError {
  override readonly name = 'DatabaseFileError'
}

/** The one folder that is made without being asked for: one of this name, the default database's. */
const defaultFolder = 'data'

/**
 * Checks that the file is a Registrar database, after making it when it is not there. A new file is made whole
 * under another name and then renamed, so that a kill never leaves half of one.
 * @throws DatabaseFileError
 */
export function prepareSqliteFile(path: string): void {
  if (!existsSync(path)) makeSqliteFile(path)
  checkSqliteFile(path)
}

/** Checks that there is a database. @throws DatabaseFileError, whose message says what to do */
export function checkDatabase(path: string): void {
  if (!existsSync(path)) {
    throw new DatabaseFileError(
      `There is no database at ${path}. Start the server once (npm start) or run ./registrar.js migrate to make it; if the server runs in another folder, run this there or set DATABASE_URL.`,
    )
  }
  checkSqliteFile(path)
}

/**
 * Checks, and makes nothing, that a server can begin here: on a database that is there, or in a folder that
 * is there. The one folder that may be absent is one named `data`: it is made later.
 * @throws DatabaseFileError
 */
export function checkPlace(path: string): void {
  const folder = dirname(path)
  const needed = basename(folder) === defaultFolder ? dirname(folder) : folder
  if (existsSync(path)) checkSqliteFile(path)
  else if (!existsSync(needed))
    throw new DatabaseFileError(`The folder ${needed} does not exist. Make it, or set DATABASE_URL.`)
}

function makeSqliteFile(path: string): void {
  const folder = dirname(resolve(path))
  const fresh = `${path}.new`
  try {
    makeDefaultFolder(path)
    rmSync(fresh, { force: true })
    closeSync(openSync(fresh, 'wx', 0o600))
    const db = new DatabaseSync(fresh)
    db.exec(`pragma journal_mode = wal; pragma application_id = ${applicationId}`)
    db.close()
    renameSync(fresh, path)
  } catch (cause) {
    const why = existsSync(folder) ? reason(cause) : 'the folder does not exist'
    throw new DatabaseFileError(
      `The database ${path} can't be made: ${why}. Make the folder writable for this user, or set DATABASE_URL.`,
      { cause },
    )
  }
}

function makeDefaultFolder(path: string): void {
  const folder = dirname(resolve(path))
  if (basename(folder) === defaultFolder && !existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
}

/** @throws DatabaseFileError when the file can't be opened, or isn't Registrar's */
export function checkSqliteFile(path: string): void {
  const notOurs = new DatabaseFileError(
    `${path} is not a Registrar database. Set DATABASE_URL to another file, or move this one away.`,
  )
  try {
    if (!statSync(path).isFile() || statSync(path).size === 0) throw notOurs
    const db = new DatabaseSync(path, { readOnly: true })
    try {
      if (db.prepare('pragma application_id').get()?.application_id !== applicationId) throw notOurs
    } finally {
      db.close()
    }
    chmodSync(path, 0o600)
  } catch (error) {
    if (error === notOurs || isSqliteFault(error, 'not a database')) throw notOurs
    throw new DatabaseFileError(
      `The database ${path} can't be opened: ${reason(error)}. Check that this user may read and write the file and its folder.`,
      { cause: error },
    )
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Held while a server serves the file; dies with its process, by kill -9 too. */
export interface ServerLock {
  release(): void
}

/**
 * Claims the file for this server: an open exclusive transaction on a `.lock` database beside it.
 * @throws DatabaseFileError when another server holds it
 */
export function lockForServing(path: string): ServerLock {
  const lockPath = `${path}.lock`
  let db: DatabaseSync | undefined
  try {
    makeDefaultFolder(path)
    if (!existsSync(lockPath)) closeSync(openSync(lockPath, 'a', 0o600))
    db = new DatabaseSync(lockPath, { timeout: 0 })
    db.exec('begin exclusive')
  } catch (cause) {
    db?.close()
    throw new DatabaseFileError(
      isSqliteFault(cause, 'busy')
        ? `Another Registrar server is using ${path}. Stop it first, or set DATABASE_URL to another file.`
        : `The lock ${lockPath} can't be made: ${reason(cause)}. Check that the folder exists and this user may write in it.`,
      { cause },
    )
  }
  const held = db
  return { release: () => held.close() }
}
