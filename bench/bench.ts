import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sqlitePath } from '../src/db/open.ts'
import { explainStatements } from './explain.ts'
import { median } from './figures.ts'
import { inTemporaryFolder } from './folder.ts'
import { describeMachine } from './machine.ts'
import { type Contestant, failuresOf, type Measured, measureInTurns, type ServerName } from './measure.ts'
import { operations } from './operations.ts'
import { type Options, readOptions } from './options.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { type OperationResult, printEngines, printOperation } from './report.ts'
import { type Seeded, seed, seedSame } from './seed.ts'
import { startBare, startRegistrar } from './servers.ts'
import { benchSharedCommits } from './shared-commits.ts'
import { figure } from './table.ts'
import { readUsage } from './usage.ts'

/*
 * The benchmark: Registrar as a process of its own on a seeded database, and a bare node:http server beside
 * it, in turns; where it is asked for, another Registrar on PostgreSQL too. README.md says what each row means.
 */

/** A seeded database, to be served or explained. */
interface Database {
  readonly name: ServerName
  readonly url: string
  readonly seeded: Seeded
  readonly pid?: number | undefined
}

const options = readOptions(
  process.argv.slice(2),
  operations.map(({ name }) => name),
)
const machine = describeMachine()
console.log(
  `${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, SQLite ${machine.sqlite}`,
)
const figures = await measureOrExplain()
if (options.json !== undefined) {
  const measuredAt = new Date().toISOString()
  writeFileSync(options.json, `${JSON.stringify({ measuredAt, machine, options, ...figures }, null, 2)}\n`)
}

/** Does what the options ask for. @returns the figures, for programs */
async function measureOrExplain(): Promise<object> {
  if (options.sharedCommits) return benchSharedCommits(options)
  const withPostgres = options.withPostgres || options.explain
  const postgres = withPostgres ? await startPostgres() : undefined
  let figures: object = {}
  try {
    await inTemporaryFolder(async (folder) => {
      const databases = await seedDatabases(folder, options.scale, postgres)
      const [{ seeded }] = databases
      if (options.explain) await explainStatements(databases.at(-1)!.url, databases.at(-1)!.seeded)
      else figures = await benchOperations(folder, databases, seeded, options)
    })
  } finally {
    await postgres?.stop()
  }
  return { ...figures, ...(postgres && { postgres: `${postgres.version}, ${postgres.shown}` }) }
}

async function seedDatabases(
  folder: string,
  scale: number,
  postgres: Postgres | undefined,
): Promise<[Database, ...Database[]]> {
  const url = `sqlite:${join(folder, 'registrar.db')}`
  const began = performance.now()
  const seeded = await seed(url, scale)
  const size = statSync(sqlitePath(url)).size / 2 ** 20
  const seconds = () => figure((performance.now() - began) / 1000, 1)
  console.log(`${figure(scale)} students, ${figure(size)} MB, seeded in ${seconds()} s`)
  if (postgres === undefined) return [{ name: 'registrar', url, seeded }]
  const same = await seedSame(postgres.url, seeded)
  console.log(`PostgreSQL ${postgres.version} (${postgres.shown}), seeded after ${seconds()} s`)
  return [
    { name: 'SQLite', url, seeded },
    { name: 'PostgreSQL', url: postgres.url, seeded: same, pid: postgres.pid },
  ]
}

/** Measures every operation that is asked for. @returns the figures, for programs */
async function benchOperations(
  folder: string,
  databases: readonly [Database, ...Database[]],
  seeded: Seeded,
  { rounds, seconds, only, profile }: Options,
): Promise<object> {
  const starts: Record<string, object> = {}
  for (const database of databases) starts[database.name] = await measureStart(database, folder, rounds)
  const bare = await startBare()
  const servers = await Promise.all(
    databases.map(async (database) => ({
      ...database,
      server: await startRegistrar(database.url, folder, profile),
    })),
  )
  console.log(`the median of ${rounds} rounds of ${seconds} s in turns; 64 connections, login 8\n`)
  const results: OperationResult[] = []
  for (const operation of operations.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const contestants = servers.map(({ name, server, seeded, pid }): Contestant => {
      return { name, server, next: operation.requests(seeded), databasePid: pid }
    })
    const measured = await measureInTurns(operation, contestants, bare, { seconds, rounds })
    results.push({ operation, measured })
    printOperation(results.at(-1)!, seeded)
  }
  if (databases.length > 1) printEngines(results)
  const peaks: Record<string, number | undefined> = {}
  for (const { name, server } of servers) {
    peaks[name] = readUsage(server.pid)?.peakResidentMb
    console.log(`${name}: resident memory at the most: ${figure(peaks[name])} MB`)
    await server.stop()
  }
  await bare.stop()
  failOnFailures(results.flatMap(({ measured }) => measured))
  const forPrograms = results.map(({ operation, measured }) => ({ operation: operation.name, measured }))
  return { starts, peaksMb: peaks, results: forPrograms }
}

/** Measures starts on a database that exists; the first one only fills the caches. */
async function measureStart({ name, url }: Database, folder: string, rounds: number) {
  const starts: number[] = []
  let idleMb: number | undefined
  for (let round = 0; round <= rounds; round++) {
    const server = await startRegistrar(url, folder)
    if (round > 0) starts.push(server.startMs)
    if (round === rounds) {
      await sleep(1000)
      idleMb = readUsage(server.pid)?.residentMb
    }
    await server.stop()
  }
  const startMs = median(starts)
  console.log(
    `${name}: first healthy answer ${figure(startMs)} ms after the start; idle, ${figure(idleMb)} MB resident`,
  )
  return { startMs, idleMb }
}

/** An answer that is not 2xx makes every figure worthless. */
function failOnFailures(measured: readonly Measured[]) {
  const failures = failuresOf(measured)
  if (Object.keys(failures).length === 0) return
  console.error(`\nFAILED: not every answer was 2xx: ${JSON.stringify(failures)}`)
  process.exitCode = 1
}
