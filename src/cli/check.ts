import { DatabaseSync } from 'node:sqlite'
import { readConfiguredAdministrator, strangersRoleWarning } from '../auth/first-administrator.ts'
import { ConfigError } from '../config.ts'
import { checkServes } from '../db/engine.ts'
import { hasRoom, whyNotSaved } from '../db/file-place.ts'
import { type Leftover, leftoversBeside } from '../db/leftovers.ts'
import { SchemaError, schemaState } from '../db/migrate.ts'
import { isPostgresUrl, openDatabase, placeOf, sqlitePath } from '../db/open.ts'
import { settingsAdvice } from '../db/postgres-settings.ts'
import { privilegeRefusal } from '../db/privileges.ts'
import {
  counterFaults,
  integrityFaults,
  oneLine,
  schemaFaults,
  searchIndexFaults,
} from '../db/sqlite-check.ts'
import { checkDatabase, isThere, lockForServing } from '../db/sqlite-file.ts'
import { isConnectionFault, isSqliteFault } from '../db/violations.ts'
import { findHalfDone } from '../imports/queries.ts'
import { findTwins, type Twin, twinsText } from '../students/twins.ts'
import { countNeverGranted, neverGrantedText } from '../users/removal.ts'
import type { Command } from './command.ts'

interface Fault {
  readonly in: 'configuration' | 'database' | 'schema' | 'search index'
  readonly detail: string
}

/** What was found, what could not be checked, and which files are beside the database. */
interface Findings {
  readonly faults: readonly Fault[]
  readonly notChecked?: readonly Fault['in'][]
  readonly leftovers?: readonly Leftover[]
  readonly warnings?: readonly string[]
  /** How many accounts were never granted anything; unknown where there are faults. */
  readonly neverGranted?: number
  readonly twins?: readonly Twin[]
}

/** `check` */
export const check: Command = {
  name: 'check',
  summary: 'Check the configuration, the database and its schema',
  help: 'Works beside a running server; then the search index is not compared with the students. Says also which records look alike, and which files in the folder of a SQLite database can be removed.',
  async run(input) {
    const warnings = [...input.warnings()]
    const configuration = faultsOf('configuration', () => {
      const config = input.config()
      warnings.push(...[strangersRoleWarning(config) ?? []].flat())
      readConfiguredAdministrator(config)
    })
    let place: string | undefined
    let records: Findings = { faults: [] }
    try {
      const { databaseUrl } = input.config('DATABASE_URL')
      place = placeOf(databaseUrl)
      records = await lookAtDatabase(databaseUrl)
      warnings.push(...(records.warnings ?? []))
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
    }
    const faults = [...configuration, ...records.faults]
    const lines = faults.map((fault) => `  ${fault.in}: ${fault.detail}`)
    const text = faults.length > 0 ? `Faults:\n${lines.join('\n')}` : wellText(place, records)
    const { notChecked: not_checked = [], leftovers = [], neverGranted = null, twins = [] } = records
    return {
      data: {
        ok: faults.length === 0,
        database: place ?? null,
        faults,
        not_checked,
        warnings,
        leftovers,
        never_granted: neverGranted,
        twins,
      },
      text: `${text}${warningsText(warnings)}${twinsText(twins)}${leftoversText(leftovers)}`,
      failed: faults.length > 0,
    }
  },
}

function wellText(place: string | undefined, { notChecked, neverGranted = 0 }: Findings): string {
  const index = notChecked ? '; search index not compared: a server is running' : ''
  const accounts = neverGranted > 0 ? `\n${neverGrantedText(neverGranted)}.` : ''
  return `All is well: the configuration, the database ${place} and its schema${index}.${accounts}`
}

function warningsText(warnings: readonly string[]): string {
  return warnings.length === 0 ? '' : `\nWarnings:\n${warnings.map((line) => `  ${line}`).join('\n')}`
}

function leftoversText(leftovers: readonly Leftover[]): string {
  if (leftovers.length === 0) return ''
  const reasons = {
    unfinished: 'left by a command that was killed; if no backup or restore is under way',
    kept: 'the database as it was before; if it is not wanted any more',
  }
  const lines = leftovers.map(
    ({ file, bytes, kind }) => `  ${(bytes / 1e6).toFixed(1)} MB, ${reasons[kind]}: rm '${file}'`,
  )
  return `\nFiles that can be removed:\n${lines.join('\n')}`
}

async function lookAtDatabase(databaseUrl: string): Promise<Findings> {
  if (isPostgresUrl(databaseUrl)) return lookAtPostgres(databaseUrl)
  const path = sqlitePath(databaseUrl)
  const faults = faultsOf('database', () => void isThere(path))
  if (faults.length > 0) return { faults }
  return { ...(await lookAtFile(path)), leftovers: leftoversBeside(path) }
}

async function lookAtPostgres(databaseUrl: string): Promise<Findings> {
  const records = await lookAtRecords(databaseUrl)
  if (records.faults.length > 0) return records
  await using unlimited = await openDatabase(databaseUrl, { poolSize: 1, limits: false })
  return { ...records, warnings: [...(records.warnings ?? []), ...(await settingsAdvice(unlimited))] }
}

async function lookAtFile(path: string): Promise<Findings> {
  const unsaved = whyNotSaved(path)
  if (unsaved !== undefined) return { faults: faultsIn('database', [unsaved]) }
  const faults = fileFaults(path)
  if (faults.length > 0) return { faults }
  if (!(await hasRoom(path)))
    return {
      faults: faultsIn('database', [`the disk of ${path} is full, so that nothing is saved. Make room`]),
    }
  const records = await lookAtRecords(`sqlite:${path}`)
  return records.faults.length > 0 ? records : { ...records, ...compareSearchIndex(path) }
}

function fileFaults(path: string): Fault[] {
  const file = faultsOf('database', () => checkDatabase(path))
  if (file.length > 0) return file
  using db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  const pages = faultsIn('database', integrityFaults(db, 'full').map(oneLine))
  const faults = [...pages, ...faultsIn('schema', schemaFaults(db))]
  return faults.length > 0 ? faults : faultsIn('database', counterFaults(db))
}

/** Whether the database answers, takes writes and has this program's schema; and what to tell about it. */
async function lookAtRecords(databaseUrl: string): Promise<Findings> {
  await using db = await openDatabase(databaseUrl, { busyTimeoutMs: 5_000, poolSize: 1 })
  try {
    const { applied, pending } = await schemaState(db)
    const what = applied.length === 0 ? 'it holds no schema yet' : 'it is older than this program'
    const detail = `${what}; run: ./registrar.js migrate`
    if (pending.length > 0) return { faults: faultsIn('schema', [detail]) }
    await checkServes(db)
    return {
      ...{ faults: [], neverGranted: await countNeverGranted(db), twins: await findTwins(db) },
      warnings: (await findHalfDone(db)).map(halfDoneText),
    }
  } catch (error) {
    const where = error instanceof SchemaError ? 'schema' : 'database'
    return { faults: faultsIn(where, [detailOf(error, databaseUrl)]) }
  }
}

function halfDoneText({ id, state }: { readonly id: number; readonly state: string }): string {
  const half = state === 'applying' ? 'applied' : 'taken back'
  return `Import ${id} is half ${half}. It goes on while a server runs, and the next import by command ends it.`
}

function detailOf(error: unknown, databaseUrl: string): string {
  const { message } = error as Error
  if (isPostgresUrl(databaseUrl) && isConnectionFault(error))
    return `PostgreSQL at ${placeOf(databaseUrl)} can't be reached: ${message}. Start it, or correct DATABASE_URL.`
  return privilegeRefusal(error) ?? message
}

/** Needs the write lock while it runs, so it is skipped while a server runs. */
function compareSearchIndex(path: string): Findings {
  let lock: ReturnType<typeof lockForServing>
  try {
    lock = lockForServing(path)
  } catch (error) {
    const isServed = isSqliteFault((error as Error).cause, 'busy')
    if (isServed) return { faults: [], notChecked: ['search index'] }
    return { faults: faultsIn('database', [(error as Error).message]) }
  }
  using _lock = lock
  using db = new DatabaseSync(path, { timeout: 5_000 })
  return { faults: faultsIn('search index', searchIndexFaults(db)) }
}

function faultsOf(where: Fault['in'], look: () => void): Fault[] {
  try {
    look()
    return []
  } catch (error) {
    return faultsIn(where, error instanceof ConfigError ? error.faults : [(error as Error).message])
  }
}

function faultsIn(where: Fault['in'], details: readonly string[]): Fault[] {
  return details.map((detail) => ({ in: where, detail }))
}
