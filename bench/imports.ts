import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sqlitePath } from '../src/db/open.ts'
import { type Beside, loadBeside } from './beside.ts'
import { type Database, seedDatabases } from './databases.ts'
import { inTemporaryFolder } from './folder.ts'
import { ImportClient } from './import-client.ts'
import { fileOf } from './import-files.ts'
import { PhaseWatch, type Served } from './import-phases.ts'
import { type Figures, report } from './import-report.ts'
import type { Options } from './options.ts'
import { delayFlushes, startPostgres } from './postgres.ts'
import { type ServerProcess, startOnSlowDisk, startRegistrar } from './servers.ts'
import { readUsage } from './usage.ts'

/** How many students are there before, and in the file of a school. */
const [studentsBefore, ofSchool] = [1_000, 800]

/** How much longer each flush takes on the slow disk, in milliseconds. */
const flushDelayMs = 5

/** How long readers and writers are measured without an import, in milliseconds. */
const undisturbedMs = 3_000

/** Measures imports of as many rows as the scale says. @returns the figures, for programs */
export async function benchImports({ scale, rounds, engines, profile }: Options): Promise<object> {
  const figures: Record<string, object> = {}
  const postgres = engines.includes('postgres') ? await startPostgres() : undefined
  try {
    await inTemporaryFolder(async (folder) => {
      const { databases } = await seedDatabases(folder, studentsBefore, engines, postgres)
      for (const database of databases) {
        const place = { database, folder, scale, profile }
        const measured: Figures[] = []
        for (let round = 0; round < rounds; round++) {
          const beside = await importBeside(place, round) // first: PostgreSQL knows of few students yet
          measured.push({
            beside,
            school: await importSchool(place, round),
            ...(await importAll(place, round)),
            xlsxMb: await planSpreadsheet(place, round),
            slowDiskSeconds: await importOnSlowDisk(place, round),
          })
        }
        figures[database.name] = report(database.name, measured, scale)
      }
    })
  } finally {
    await postgres?.stop()
  }
  return figures
}

interface Place {
  readonly database: Database
  readonly folder: string
  readonly scale: number
  readonly profile: string | undefined
}

/** Each measurement has a server of its own, whose memory no other has grown. */
async function onServer<Result>(
  { database, folder, profile }: Place,
  work: (served: Served) => Promise<Result>,
  start = () => startRegistrar(database.url, folder, profile) as Promise<ServerProcess>,
): Promise<Result> {
  const server = await start()
  try {
    await sleep(1_500) // what is compiled after the start is compiled
    return await work({ server, databasePid: database.pid })
  } finally {
    await server.stop()
  }
}

async function csvOf({ database, scale }: Place, { server }: Served, numbers: string, rows = scale) {
  const client = new ImportClient(server.port, database.seeded.registrarTokens[0]!)
  return fileOf('csv', rows, numbers, await client.classes())
}

/** The file of a school, planned and applied. @returns how long that took, in seconds */
function importSchool(place: Place, round: number): Promise<number> {
  return onServer(place, async (served) => {
    const watch = new PhaseWatch(served, place.database.seeded.registrarTokens[0]!)
    const file = await csvOf(place, served, `school${round}`, ofSchool)
    const began = performance.now()
    const id = await watch.plan(file, 'create')
    await watch.apply(id)
    const seconds = (performance.now() - began) / 1000
    await watch.undo(id)
    return seconds
  })
}

function importAll(place: Place, round: number) {
  const { url, seeded } = place.database
  return onServer(place, async (served) => {
    const { pid } = served.server
    const watch = new PhaseWatch(served, seeded.registrarTokens[0]!)
    const file = await csvOf(place, served, `all${round}`)
    const idle = readUsage(pid)?.residentMb ?? Number.NaN
    const id = await watch.plan(file, 'create')
    await watch.apply(id)
    const grownMb = (readUsage(pid)?.peakResidentMb ?? Number.NaN) - idle
    const walMb = place.database.pid === undefined ? statSync(`${sqlitePath(url)}-wal`).size / 1e6 : undefined
    // The same file is the same import, but for somebody else.
    const other = new PhaseWatch(served, seeded.registrarTokens.at(-1)!)
    await other.plan(file, 'unchanged')
    await watch.undo(id)
    return { phases: new Map([...watch.costs, ...other.costs]), grownMb, walMb }
  })
}

/** @returns how many MB the memory grows by */
function planSpreadsheet(place: Place, round: number): Promise<number> {
  const [token] = place.database.seeded.registrarTokens
  return onServer(place, async (served) => {
    const classes = await new ImportClient(served.server.port, token!).classes()
    const file = await fileOf('xlsx', place.scale, `xlsx${round}`, classes)
    const idle = readUsage(served.server.pid)?.residentMb ?? Number.NaN
    await new PhaseWatch(served, token!).plan(file, 'create')
    return (readUsage(served.server.pid)?.peakResidentMb ?? Number.NaN) - idle
  })
}

/** Readers and writers without an import, and beside its plan and its application. */
function importBeside(place: Place, round: number): Promise<readonly Beside[]> {
  const { seeded } = place.database
  return onServer(place, async (served) => {
    const watch = new PhaseWatch(served, seeded.registrarTokens[0]!)
    const file = await csvOf(place, served, `beside${round}`)
    const { port } = served.server
    const alone = await loadBeside(port, seeded, 'no import', () => sleep(undisturbedMs))
    let id = 0
    const planning = await loadBeside(port, seeded, 'plan', async () => {
      id = await watch.plan(file, 'create')
    })
    const applying = await loadBeside(port, seeded, 'apply', () => watch.apply(id))
    await watch.undo(id)
    return [alone, planning, applying]
  })
}

/** @returns how long it takes to plan and apply, in seconds */
async function importOnSlowDisk(place: Place, round: number): Promise<number> {
  const { url, seeded, pid } = place.database
  const isPostgres = pid !== undefined
  if (isPostgres) await delayFlushes(url, flushDelayMs)
  const start = isPostgres ? undefined : () => startOnSlowDisk(url, flushDelayMs)
  const took = onServer(
    place,
    async (served) => {
      const watch = new PhaseWatch(served, seeded.registrarTokens[0]!)
      const file = await csvOf(place, served, `slow${round}`)
      const began = performance.now()
      const id = await watch.plan(file, 'create')
      await watch.apply(id)
      const seconds = (performance.now() - began) / 1000
      await watch.undo(id)
      return seconds
    },
    start,
  )
  return isPostgres ? took.finally(() => delayFlushes(url, 0)) : took
}
