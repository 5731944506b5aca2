import { statfsSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { SchemaState } from '../db/migrate.ts'
import { backUpSqlite } from '../db/sqlite-backup.ts'
import { DatabaseFileError } from '../db/sqlite-file.ts'

/** The further disk space that SQLite needs while the copy is checked. */
const scratchBytes = 1_000_000

/**
 * Backs up a SQLite file that holds records and is about to be migrated, in its own folder, and says where.
 * @returns the backup's path; undefined where there is nothing to migrate, or nothing to keep
 * @throws DatabaseFileError when it can't be made: then nothing may be migrated
 */
export async function backUpBeforeMigration(
  path: string,
  { applied, pending }: SchemaState,
): Promise<string | undefined> {
  if (applied.length === 0 || pending.length === 0) return undefined
  const instant = new Date().toISOString().replace(/[-:.]/g, '')
  const name = basename(path, extname(path))
  const target = join(dirname(path), `${name}.before-migration-${pending[0]}-${instant}.db`)
  try {
    refuseWithoutRoom(path)
    await backUpSqlite(path, target)
  } catch (error) {
    throw new DatabaseFileError(
      `Nothing was migrated, since the backup before it failed: ${(error as Error).message} See to that, and run it again.`,
      { cause: error },
    )
  }
  console.error(`A backup of the database as it was is ${target}.`)
  return target
}

/** A copy that fills the disk would leave no room for the database. */
function refuseWithoutRoom(path: string): void {
  const { bsize, bavail, blocks } = statfsSync(dirname(path))
  const [free, needed] = [bsize * bavail, statSync(path).size + scratchBytes]
  if (free > needed || blocks === 0) return // a file system that does not tell
  throw new DatabaseFileError(
    `${dirname(path)} has room for ${Math.floor(free / 1000)} KB, and the copy takes ${Math.ceil(needed / 1000)} KB.`,
  )
}
