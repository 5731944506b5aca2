import { noteBackup } from '../db/last-backup.ts'
import { backUpSqlite } from '../db/sqlite-backup.ts'
import type { Command } from './command.ts'
import { onDatabase, sqliteFileOf } from './database.ts'

/** `backup` */
export const backupCommand: Command = {
  name: 'backup',
  summary: 'Copy the database into a new file while it is served',
  arguments: ['FILE'],
  help: 'The copy is one snapshot, checked by counting the rows of every table. It holds everything, the password hashes and signing keys too: keep it as safe as the database. When it was made is noted beside the database; GET /api/about and the console tell it.',
  run(input) {
    const path = sqliteFileOf(input.config())
    return backUp(path)(input)
  },
}

/** It may be the backup before an upgrade, while the old server runs. */
const backUp = (path: string) =>
  onDatabase(async (_db, input) => {
    const file = input.arguments[0]!
    const { bytes, rows } = await backUpSqlite(path, file)
    const isNoted = noteBackup(path, new Date().toISOString())
    const counted = ['student', 'class', 'user'].map((noun) => count(rows, noun))
    return {
      data: { file, bytes, rows },
      text: `Backed up to ${file}: ${counted.join(', ')}; ${bytes} bytes, checked.${isNoted ? '' : unnoted}`,
    }
  }, 'changes nothing')

const unnoted = ' This user may not write beside the database, so that the server is not told of it.'

/** `1 student`, `12 classes` */
function count(rows: Readonly<Record<string, number>>, noun: string): string {
  const table = noun.endsWith('s') ? `${noun}es` : `${noun}s`
  return `${rows[table] ?? 0} ${rows[table] === 1 ? noun : table}`
}
