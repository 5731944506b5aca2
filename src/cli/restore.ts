import { deleteAllSessions } from '../access/sessions.ts'
import { removeUnfinished, withUnfinished } from '../db/durable-files.ts'
import { SchemaError, schemaState } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { lockAlone } from '../db/sqlite-file.ts'
import { copyBackup, replaceSqliteFile } from '../db/sqlite-restore.ts'
import { write } from '../events/write.ts'
import type { Command, CommandInput } from './command.ts'
import { instantNow, sqliteFileOf } from './database.ts'

/** `restore` */
export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Put a backup in the place of the database; the server must be stopped',
  arguments: ['FILE'],
  help: 'Checks the backup first, ends every session in it, and keeps the present database beside it. Accounts, passwords and roles are those of the backup.',
  async run(input) {
    const path = sqliteFileOf(input.config('DATABASE_URL'))
    const file = input.arguments[0]!
    using _lock = lockAlone(path)
    const fresh = `${path}.${process.pid}.restoring`
    const aside = `${path}.before-restore-${instantNow().replace(/[-:.]/g, '')}`
    return await withUnfinished(fresh, async () => {
      removeUnfinished(fresh)
      await copyBackup(file, path, fresh)
      await endSessionsIn(fresh, input)
      const kept = replaceSqliteFile(path, fresh, aside)
      return {
        data: { database: path, restored: file, kept: kept.includes(aside) ? aside : null },
        text: `Restored ${file} to ${path}; every session is ended.${keptText(kept)}`,
      }
    })
  },
}

function keptText([first, ...others]: readonly string[]): string {
  if (first === undefined) return ''
  const all = others.length === 0 ? first : `${first}, with ${others.join(', ')}`
  return ` The database that was there is ${all}.`
}

/** A token from before the restore must not become valid again. */
async function endSessionsIn(path: string, { by }: CommandInput): Promise<void> {
  await using db = await openDatabase(`sqlite:${path}`)
  const { applied } = await schemaState(db)
  if (applied.length === 0) throw new SchemaError('The backup holds no schema, and so no records.')
  await write(db, by, deleteAllSessions)
}
