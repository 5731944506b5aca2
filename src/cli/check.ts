import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from '../config.ts'
import { checkServes } from '../db/engine.ts'
import { SchemaError, schemaState } from '../db/migrate.ts'
import { isPostgresUrl, openDatabase, placeOf, sqlitePath } from '../db/open.ts'
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
    let place: string | undefined
    let records: Fault[] = []
    try {
      const { databaseUrl } = input.config('DATABASE_URL')
      place = isPostgresUrl(databaseUrl) ? placeOf(databaseUrl) : sqlitePath(databaseUrl)
      records = isPostgresUrl(databaseUrl) ? await schemaVersionFaults(databaseUrl) : await fileFaults(place)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
    }
    const faults = [...configuration, ...records]
    const lines = faults.map((fault) => `  ${fault.in}: ${fault.detail}`)
    return {
      data: { ok: faults.length === 0, database: place ?? null, faults },
      text:
        faults.length === 0
          ? `All is well: the configuration, the database ${place} and its schema.`
          : `Faults:\n${lines.join('\n')}`,
      failed: faults.length > 0,
    }
  },
}

async function fileFaults(path: string): Promise<Fault[]> {
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
  const version = await schemaVersionFaults(`sqlite:${path}`)
  return version.length > 0 ? version : compareSearchIndex(path)
}

/** Whether the database answers and takes writes, and its schema is this program's. */
async function schemaVersionFaults(databaseUrl: string): Promise<Fault[]> {
  const db = await openDatabase(databaseUrl, { busyTimeoutMs: 5_000, poolSize: 1 })
  try {
    const { pending } = await schemaState(db)
    const detail = 'it is older than this program; run: ./registrar.js migrate'
    if (pending.length > 0) return [{ in: 'schema', detail }]
    await checkServes(db)
    return []
  } catch (error) {
    return [{ in: error instanceof SchemaError ? 'schema' : 'database', detail: (error as Error).message }]
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
