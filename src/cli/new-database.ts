import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { sqlitePath } from '../db/open.ts'
import { isThere } from '../db/sqlite-file.ts'
import { CommandError } from './command.ts'
import { isAgreed, isAtTerminal } from './terminal.ts'

/** Where `npm start` runs: a new database is expected here. */
const programFolder = realpathSync(join(import.meta.dirname, '..', '..'))

/**
 * Before a new database is made where no setting names it: says the folder, and asks on a terminal. Whoever calls
 * the program in another folder than the one with the records would else begin anew without a word.
 * @throws CommandError when it is not wanted
 */
export async function agreeToNewDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<void> {
  if (databaseUrl !== readConfig({}).databaseUrl) return
  const path = sqlitePath(databaseUrl)
  if (isThere(path)) return
  const asks = isAtTerminal() && realpathSync('.') !== programFolder
  const what = `There is no database in the folder ${dirname(path)} yet`
  console.error(asks ? `${what}.` : `${what}: a new one is made there.`)
  if (!asks) return
  if (await isAgreed('Make a new, empty database?')) return
  throw new CommandError(
    'No database was made. Run this in the folder where the server runs, or set DATABASE_URL.',
  )
}
