import { setTimeout as sleep } from 'node:timers/promises'
import { type Databases, seedDatabases } from './databases.ts'
import { median } from './figures.ts'
import { inTemporaryFolder } from './folder.ts'
import type { Machine } from './machine.ts'
import { type Contestant, measureInTurns } from './measure.ts'
import { operations } from './operations.ts'
import type { Options } from './options.ts'
import { startPeer } from './peers.ts'
import { startPostgres } from './postgres.ts'
import { printOperation, printPlatforms } from './report.ts'
import {
  failuresOf,
  flatOperations,
  type OperationResult,
  operationResult,
  platformResult,
  type Run,
  smallSqlite,
} from './results.ts'
import { startBare, startRegistrar } from './servers.ts'
import { figure } from './table.ts'
import { readUsage } from './usage.ts'

/** Measures all that is asked for, and prints it. @returns the figures, for programs */
export async function benchOperations(options: Options, machine: Machine): Promise<Run> {
  const postgres = options.engines.includes('postgres') ? await startPostgres() : undefined
  const measuredAt = new Date().toISOString()
  const { scale: students, seconds, rounds } = options
  let figures: Pick<Run, 'platforms' | 'operations'> = { platforms: [], operations: [] }
  try {
    await inTemporaryFolder(async (folder) => {
      const databases = await seedDatabases(folder, students, options.engines, postgres)
      figures = await measureAll(folder, databases, options)
    })
  } finally {
    await postgres?.stop()
  }
  const shown = postgres === undefined ? null : `${postgres.version}, ${postgres.shown}`
  const run: Run = { measuredAt, machine, postgres: shown, students, seconds, rounds, ...figures }
  printPlatforms(run)
  const failures = failuresOf(run)
  if (Object.keys(failures).length > 0) {
    console.error(`\nFAILED: not every answer was 2xx: ${JSON.stringify(failures)}`)
    process.exitCode = 1
  }
  return run
}

async function measureAll(
  folder: string,
  { databases, original, small }: Databases,
  { scale, rounds, seconds, only, peers, profile }: Options,
): Promise<Pick<Run, 'platforms' | 'operations'>> {
  const starts: Start[] = []
  for (const { url } of databases) starts.push(await measureStart(url, folder, rounds))
  const bare = await startBare()
  const own: Contestant[] = []
  for (const { name, url, seeded, pid } of databases)
    own.push({ name, server: await startRegistrar(url, folder, profile), seeded, databasePid: pid })
  const smallOnes: Contestant[] = []
  if (small !== undefined) {
    const server = await startRegistrar(small.url, folder)
    smallOnes.push({ name: smallSqlite.title, server, seeded: small.seeded })
  }
  const others: Contestant[] = []
  for (const name of peers)
    others.push({ name, ...(await startPeer(name, folder, original.file, original.seeded)) })
  console.log(`\nthe median of ${rounds} rounds of ${seconds} s in turns\n`)
  const results: OperationResult[] = []
  for (const operation of operations.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const compared = flatOperations.includes(operation.name) ? [...own, ...smallOnes] : own
    const [first, ...rest] = operation.forPeers ? [...compared, ...others] : compared
    const measured = await measureInTurns(operation, [first!, ...rest], bare, { seconds, rounds })
    const result = operationResult(operation, measured, first!.seeded)
    printOperation(result)
    results.push(result)
  }
  const platforms = databases.map(({ name, sizes, seedSeconds }, i) => {
    const peakMb = readUsage(own[i]!.server.pid)?.peakResidentMb ?? null
    return platformResult(name, { ...starts[i]!, peakMb, ...sizes, seedSeconds }, scale)
  })
  for (const { server } of [...own, ...smallOnes, ...others]) await server.stop()
  await bare.stop()
  return { platforms, operations: results }
}

interface Start {
  readonly startMs: number
  readonly idleMb: number | null
}

/** Measures starts on a database that exists; the first one only fills the caches. */
async function measureStart(url: string, folder: string, rounds: number): Promise<Start> {
  const starts: number[] = []
  let idleMb: number | null = null
  for (let round = 0; round <= rounds; round++) {
    const server = await startRegistrar(url, folder)
    if (round > 0) starts.push(server.startMs)
    if (round === rounds) {
      await sleep(1000)
      idleMb = readUsage(server.pid)?.residentMb ?? null
    }
    await server.stop()
  }
  const startMs = median(starts)
  console.log(
    `first healthy answer ${figure(startMs)} ms after the start; idle, ${figure(idleMb)} MB resident`,
  )
  return { startMs, idleMb }
}
