import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Where Linux has files in memory. */
const inMemory = '/dev/shm'

/**
 * Where the databases of tests stand: in memory, if it has room for those of a run, which are 1 GB or two. A disk takes
 * ten times as long to copy the 300 files of one on PostgreSQL, and waits for each commit on SQLite.
 */
export function folderOfDatabases(): string {
  if (!existsSync(inMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(inMemory)
  const hasRoom = bavail * bsize > 4 * 2 ** 30 && process.availableMemory() > 8 * 2 ** 30
  return hasRoom ? inMemory : tmpdir()
}
