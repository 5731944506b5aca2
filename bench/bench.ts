import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sqlitePath } from '../src/db/open.ts'
import { median } from './figures.ts'
import { inTemporaryFolder } from './folder.ts'
import { describeMachine } from './machine.ts'
import { failuresOf, type Measured, measureInTurns } from './measure.ts'
import { type Operation, operations } from './operations.ts'
import { type Options, readOptions } from './options.ts'
import { type Seeded, seed } from './seed.ts'
import { startBare, startRegistrar } from './servers.ts'
import { benchSharedCommits } from './shared-commits.ts'
import { figure, table } from './table.ts'
import { readUsage } from './usage.ts'

/*
 * The benchmark: Registrar as a process of its own on a seeded database, and a bare node:http server beside
 * it, in turns. README.md says what each row means.
 */

const options = readOptions(
  process.argv.slice(2),
  operations.map(({ name }) => name),
)
const machine = describeMachine()
console.log(
  `${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, SQLite ${machine.sqlite}`,
)
const figures = options.sharedCommits ? await benchSharedCommits(options) : await benchOperations(options)
if (options.json !== undefined) {
  const measuredAt = new Date().toISOString()
  writeFileSync(options.json, `${JSON.stringify({ measuredAt, machine, options, ...figures }, null, 2)}\n`)
}

/** Measures every operation that is asked for. @returns the figures, for programs */
async function benchOperations({ scale, rounds, seconds, only, profile }: Options): Promise<object> {
  const results: { operation: string; measured: Measured[] }[] = []
  let start: object = {}
  await inTemporaryFolder(async (folder) => {
    const databaseUrl = `sqlite:${join(folder, 'registrar.db')}`
    const began = performance.now()
    const seeded = await seed(databaseUrl, scale)
    const size = statSync(sqlitePath(databaseUrl)).size / 2 ** 20
    console.log(
      `${figure(scale)} students, ${figure(size)} MB, seeded in ${figure((performance.now() - began) / 1000, 1)} s`,
    )
    start = await measureStart(databaseUrl, folder, rounds)

    const bare = await startBare()
    const registrar = await startRegistrar(databaseUrl, folder, profile)
    console.log(`the median of ${rounds} rounds of ${seconds} s in turns; 64 connections, login 8\n`)
    const chosen = operations.filter(({ name }) => only.length === 0 || only.includes(name))
    for (const operation of chosen) {
      const next = operation.requests(seeded)
      const measured = await measureInTurns(operation, next, { registrar, bare }, { seconds, rounds })
      results.push({ operation: operation.name, measured })
      printOperation(operation, seeded, measured)
    }
    const peakMb = readUsage(registrar.pid)?.peakResidentMb
    console.log(`resident memory at the most: ${figure(peakMb)} MB`)
    start = { ...start, peakMb }
    await registrar.stop()
    await bare.stop()
  })
  failOnFailures(results.flatMap(({ measured }) => measured))
  return { start, results }
}

/** Measures starts on a database that exists; the first one only fills the caches. */
async function measureStart(databaseUrl: string, folder: string, rounds: number) {
  const starts: number[] = []
  let idleMb: number | undefined
  for (let round = 0; round <= rounds; round++) {
    const server = await startRegistrar(databaseUrl, folder)
    if (round > 0) starts.push(server.startMs)
    if (round === rounds) {
      await sleep(1000)
      idleMb = readUsage(server.pid)?.residentMb
    }
    await server.stop()
  }
  const startMs = median(starts)
  console.log(
    `first healthy answer ${figure(startMs)} ms after the start; idle, ${figure(idleMb)} MB resident`,
  )
  return { startMs, idleMb }
}

function printOperation(
  { title, remark, connections }: Operation,
  seeded: Seeded,
  measured: readonly [Measured, Measured],
) {
  const bare = measured[1].median
  const rows = measured.map(({ server, median }) => [
    server,
    figure(median.perSecond),
    figure(median.p50, 2),
    figure(median.p99, 2),
    figure(median.cpuMicroseconds, 1),
    figure(median.perSecond / bare.perSecond, 3),
    figure(bare.cpuMicroseconds! / median.cpuMicroseconds!, 3),
    `${figure(median.clientBusy * 100)} %`,
  ])
  const about = [`${connections} connections`, `${figure(bare.bytes)} bytes`, remark?.(seeded) ?? []].flat()
  console.log(`${title} (${about.join('; ')})`)
  const header = ['', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs/req', 'of bare', 'of bare by CPU', 'client busy']
  console.log(`${table(header, rows)}\n`)
}

/** An answer that is not 2xx makes every figure worthless. */
function failOnFailures(measured: readonly Measured[]) {
  const failures = failuresOf(measured)
  if (Object.keys(failures).length === 0) return
  console.error(`\nFAILED: not every answer was 2xx: ${JSON.stringify(failures)}`)
  process.exitCode = 1
}
