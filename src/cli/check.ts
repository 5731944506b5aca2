import { DatabaseSync } from 'node:sqlite'
import { readConfiguredAdministrator } from '../auth/first-administrator.ts'
import { ConfigError } from '../config.ts'
import { checkServes } from '../db/engine.ts'
import { SchemaError, schemaState } from '../db/migrate.ts'
import { isPostgresUrl, openDatabase, placeOf, sqlitePath } from '../db/open.ts'
import {
  counterFaults,
  integrityFaults,
  oneLine,
  schemaFaults,
  searchIndexFaults,
} from '../db/sqlite-check.ts'
import { checkDatabase, lockForServing } from '../db/sqlite-file.ts'
import { isSqliteFault } from '../db/violations.ts'
import type { Command } from './command.ts'

interface Fault {
  readonly in: 'configuration' | 'database' | 'schema' | 'search index'
  readonly detail: string
}

/** What was found, and what could not be looked at. */
interface Findings {
  readonly faults: readonly Fault[]
  readonly notChecked: readonly Fault['in'][]
}

/** `check` */
export const check: Command = {
  name: 'check',
  summary: 'Check the configuration, the database and its schema',
  help: 'Works beside a running server; then the search index is not compared with the students.',
  async run(input) {
    const configuration = faultsOf('configuration', () => void readConfiguredAdministrator(input.config()))
    let place: string | undefined
    let records: Findings = { faults: [], notChecked: [] }
    try {
      const { databaseUrl } = input.config('DATABASE_URL')
      place = placeOf(databaseUrl)
      records = await lookAtDatabase(databaseUrl)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
    }
    const faults = [...configuration, ...records.faults]
    const lines = faults.map((fault) => `  ${fault.in}: ${fault.detail}`)
    return {
      data: { ok: faults.length === 0, database: place ?? null, faults, not_checked: records.notChecked },
      text: faults.length > 0 ? `Faults:\n${lines.join('\n')}` : wellText(place, records),
      failed: faults.length > 0,
    }
  },
}

function wellText(place: string | undefined, { notChecked }: Findings): string {
  const index =
    notChecked.length === 0
      ? ' and its schema'
      : ' and its schema; search index not compared: a server is running'
  return `All is well: the configuration, the database ${place}${index}.`
}

async function lookAtDatabase(databaseUrl: string): Promise<Findings> {
  if (isPostgresUrl(databaseUrl)) return { faults: await schemaVersionFaults(databaseUrl), notChecked: [] }
  const path = sqlitePath(databaseUrl)
  const faults = await fileFaults(path)
  return faults.length > 0 ? { faults, notChecked: [] } : compareSearchIndex(path)
}

async function fileFaults(path: string): Promise<Fault[]> {
  const file = faultsOf('database', () => checkDatabase(path))
  if (file.length > 0) return file
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  const pages = integrityFaults(db, 'full').map(
    (fault) => ({ in: 'database', detail: oneLine(fault) }) as const,
  )
  const schema = schemaFaults(db).map((detail) => ({ in: 'schema', detail }) as const)
  const isSound = pages.length + schema.length === 0
  const counters = (isSound ? counterFaults(db) : []).map((detail) => ({ in: 'database', detail }) as const)
  db.close()
  const faults = [...pages, ...schema, ...counters]
  return faults.length > 0 ? faults : schemaVersionFaults(`sqlite:${path}`)
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
function compareSearchIndex(path: string): Findings {
  let lock: ReturnType<typeof lockForServing>
  try {
    lock = lockForServing(path)
  } catch (error) {
    if (!isServed(error))
      return { faults: [{ in: 'search index', detail: (error as Error).message }], notChecked: [] }
    return { faults: [], notChecked: ['search index'] }
  }
  const db = new DatabaseSync(path, { timeout: 5_000 })
  const faults = searchIndexFaults(db)
  db.close()
  lock.release()
  return { faults: faults.map((detail) => ({ in: 'search index', detail })), notChecked: [] }
}

/** Whether the lock could not be had because a server holds it (SQLITE_BUSY). */
function isServed(error: unknown): boolean {
  return isSqliteFault((error as Error).cause, 'busy')
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
