import { databaseUrlFault } from '../config.ts'
import { copyRecords } from '../db/copy.ts'
import { migrate, SchemaError, schemaState } from '../db/migrate.ts'
import { isPostgresUrl, openDatabase, sqlitePath } from '../db/open.ts'
import { checkDatabase, lockAlone } from '../db/sqlite-file.ts'
import { type Command, CommandError, UsageError } from './command.ts'

/** `copy` */
export const copy: Command = {
  name: 'copy',
  summary: 'Move everything from a SQLite file to an empty PostgreSQL database, ids included',
  options: {
    from: { value: 'URL', required: true, describe: 'The source, sqlite:PATH; its server must be stopped' },
    to: {
      value: 'URL',
      required: true,
      describe: 'The target, postgres://…: an empty database, or one just migrated',
    },
  },
  help: 'The target is filled in one transaction, and its rows are counted against the source. The source stays as it is: commands that would change it are refused until the copy has ended.',
  async run({ options }) {
    const [from, to] = [options.from!, options.to!]
    if (isPostgresUrl(from) || !isPostgresUrl(to))
      throw new UsageError('--from is a sqlite: URL, and --to a postgres:// one.')
    const fault = databaseUrlFault(to)
    if (fault !== undefined) throw new CommandError(`--to ${fault}`)
    const path = sqlitePath(from)
    checkDatabase(path)
    using _lock = lockAlone(path)
    await using source = await openDatabase(from, { busyTimeoutMs: 5_000 })
    await using target = await openDatabase(to, { poolSize: 1, limits: false })
    const { pending } = await schemaState(source)
    if (pending.length > 0)
      throw new SchemaError(
        "The source's schema is older than this program. Start it once, or run: ./registrar.js migrate",
      )
    await migrate(target)
    const rows = await copyRecords(source, target, (table, copied, total) => {
      if (process.stderr.isTTY || copied === total) console.error(`${table}: ${copied} of ${total}`)
    })
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    return {
      data: { rows },
      text: `Copied ${total} rows, ${rows.students} of them students. Every table was counted on both sides.`,
    }
  },
}
