import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from '../config.ts'
import { schemaState } from '../db/migrate.ts'
import { openDatabase, sqlitePath } from '../db/open.ts'
import { integrityFaults, oneLine, schemaFaults, searchIndexFaults } from '../db/sqlite-check.ts'
import { lockForServing, prepareSqliteFile } from '../db/sqlite-file.ts'
import type { Command } from './command.ts'

interface Fault {
  readonly in: 'configuration' | 'database' | 'schema' | 'search index'
  readonly detail: string
}

/** `check` */
export const check: Command = {
  name: 'check',
  summary: 'Check the configuration, the database and its schema',
  help: 'Works beside a running server; then the search index is looked at by itself, and not compared with the students.',
  async run(input) {
    const configuration = faultsOf('configuration', () => void input.config())
    let path: string | undefined
    let records: Fault[] = []
    try {
      path = sqlitePath(input.config('DATABASE_URL').databaseUrl)
      records = await databaseFaults(path)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
    }
    const faults = [...configuration, ...records]
    const lines = faults.map((fault) => `  ${fault.in}: ${fault.detail}`)
    return {
      data: { ok: faults.length === 0, database: path ?? null, faults },
      text:
        faults.length === 0
          ? `All is well: the configuration, the database ${path}, its schema and its search index.`
          : `Faults:\n${lines.join('\n')}`,
      failed: faults.length > 0,
    }
  },
}

async function databaseFaults(path: string): Promise<Fault[]> {
  const file = faultsOf('database', () => prepareSqliteFile(path, false))
  if (file.length > 0) return file
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  const pages = integrityFaults(db, 'full').map(
    (fault) => ({ in: 'database', detail: oneLine(fault) }) as const,
  )
  const schema = schemaFaults(db).map((detail) => ({ in: 'schema', detail }) as const)
  db.close()
  const faults = [...pages, ...schema]
  if (faults.length > 0) return faults
  const version = await versionFaults(path)
  return version.length > 0 ? version : compareSearchIndex(path)
}

async function versionFaults(path: string): Promise<Fault[]> {
  const db = await openDatabase(`sqlite:${path}`, { busyTimeoutMs: 5_000 })
  try {
    const { pending } = await schemaState(db)
    const detail = 'it is older than this program; run: ./registrar.js migrate'
    return pending.length > 0 ? [{ in: 'schema', detail }] : []
  } catch (error) {
    return [{ in: 'schema', detail: (error as Error).message }]
  } finally {
    await db.destroy()
  }
}

/** Needs the write lock for as long as it takes, so it waits for a time without a server. */
function compareSearchIndex(path: string): Fault[] {
  let lock: ReturnType<typeof lockForServing>
  try {
    lock = lockForServing(path)
  } catch {
    return []
  }
  const db = new DatabaseSync(path, { timeout: 5_000 })
  const faults = searchIndexFaults(db)
  db.close()
  lock.release()
  return faults.map((detail) => ({ in: 'search index', detail }))
}

function faultsOf(where: Fault['in'], look: () => void): Fault[] {
  try {
    look()
    return []
  } catch (error) {
    const details = error instanceof ConfigError ? error.faults : [(error as Error).message]
    return details.map((detail) => ({ in: where, detail }))
  }
}
