import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { giveToOwnerOf } from './durable-files.ts'
import type { Instant } from './tables.ts'

/** The file beside a SQLite database that tells when its last backup was made. */
const noteBeside = (path: string) => `${path}.last-backup`

/** Notes that a backup was made. @returns whether this user may write beside the database */
export function noteBackup(path: string, now: Instant): boolean {
  const [note, fresh] = [noteBeside(path), `${noteBeside(path)}.${process.pid}.partial`]
  try {
    rmSync(fresh, { force: true }) // and never through a link that stands there
    writeFileSync(fresh, `${now}\n`, { mode: 0o600, flag: 'wx' })
    giveToOwnerOf(path, fresh)
    renameSync(fresh, note) // the note of another user may be there, who may not be written over
    return true
  } catch {
    rmSync(fresh, { force: true })
    return false
  }
}

/** Forgets it: another database takes the place of the one that was backed up. */
export function forgetBackup(path: string): void {
  rmSync(noteBeside(path), { force: true })
}

/** When a database was last backed up, as far as it was noted. */
export function lastBackupOf(path: string): Instant | undefined {
  try {
    const noted = new Date(readFileSync(noteBeside(path), 'utf8').trim())
    return Number.isNaN(noted.getTime()) ? undefined : noted.toISOString()
  } catch {
    return undefined
  }
}
