import { statSync } from 'node:fs'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase, sqlitePath } from '../src/db/open.ts'
import { write } from '../src/events/write.ts'
import { type Database, seedDatabases } from './databases.ts'
import { median } from './figures.ts'
import { inTemporaryFolder } from './folder.ts'
import type { Options } from './options.ts'
import { startPostgres } from './postgres.ts'
import { startRegistrar } from './servers.ts'
import { figure, table } from './table.ts'
import { readUsage } from './usage.ts'

/** What issue 23 asks for: rows of CSV a second, and what the server's memory grows by meanwhile, in MB. */
const goals = { rowsPerSecond: 50_000, grownMb: 16, walMb: 64 }

/** What is exported: some fields, all fields, and a spreadsheet of these. */
const files = ['students.csv?columns=name,admission_number,class', 'students.csv', 'students.xlsx']

interface Export {
  readonly file: string
  readonly seconds: number
  readonly bytes: number
  readonly grownMb: number | undefined
  /** Of SQLite. */
  readonly walMb: number | undefined
}

/** Measures how fast all students are exported, and how much memory that takes. @returns the figures, for programs */
export async function benchExports({ scale, rounds, engines }: Options): Promise<object> {
  const figures: Record<string, object> = {}
  const postgres = engines.includes('postgres') ? await startPostgres() : undefined
  try {
    await inTemporaryFolder(async (folder) => {
      const { databases } = await seedDatabases(folder, scale, engines, postgres)
      for (const database of databases) {
        await fillIn(database)
        const measured: Export[] = []
        for (let round = 0; round < rounds; round++)
          for (const file of files) measured.push(await exportOnce(database, folder, file))
        figures[database.name] = report(database.name, measured, scale)
      }
    })
  } finally {
    await postgres?.stop()
  }
  return figures
}

/** Gives every student all fields and two guardians: some 500 bytes. */
async function fillIn({ url }: Database): Promise<void> {
  await using db = await openDatabase(url, { limits: false })
  const guardian = (name: string) =>
    `{"name":"${name} Guardian","relation":"parent","phone":"+49 30 901820","email":"${name}@family.example","address":null,"note":null}`
  const guardians = `[${guardian('anna')},${guardian('jörg')}]`
  await write(db, { command: 'bench' }, (tx) =>
    sql`update students set given_name = name, family_name = name, folded_family_name = folded_name,
      date_of_birth = cast(2010 + id % 8 as text) || '-0' || cast(1 + id % 9 as text) || '-1' || cast(id % 9 as text),
      gender = 'female', email = 'student@school.example', address = 'Lindenweg 4, 12345 Berlin',
      notes = 'Allergic to nuts; collected by her grandmother on Fridays', guardians = ${guardians}`.execute(
      tx,
    ),
  )
}

/** Each export has a server of its own, whose memory no other has grown. */
async function exportOnce({ url, seeded, pid }: Database, folder: string, file: string): Promise<Export> {
  const server = await startRegistrar(url, folder)
  try {
    await sleep(1_500) // what is compiled after the start is compiled
    const token = seeded.registrarTokens[0]!
    await download(server.port, 'students?gender=none', token) // a thread that reads is there in a server that is used
    const before = readUsage(server.pid)?.residentMb
    const began = performance.now()
    const bytes = await download(server.port, file, token)
    const seconds = (performance.now() - began) / 1000
    const peak = readUsage(server.pid)?.peakResidentMb
    const grownMb = before === undefined || peak === undefined ? undefined : peak - before
    const walMb = pid === undefined ? statSync(`${sqlitePath(url)}-wal`).size / 1e6 : undefined
    return { file, seconds, bytes, grownMb, walMb }
  } finally {
    await server.stop()
  }
}

function download(port: number, file: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const request = get(
      { port, host: '127.0.0.1', path: `/api/${file}`, headers, agent: false },
      (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${file}: ${answer.statusCode}`))
        let bytes = 0
        answer.on('data', ({ length }: Buffer) => (bytes += length))
        answer.on('end', () => resolve(bytes))
        answer.on('error', reject)
      },
    )
    request.on('error', reject)
  })
}

function report(name: string, measured: readonly Export[], scale: number): object {
  const rows = files.map((file) => {
    const these = measured.filter((one) => one.file === file)
    const middle = (value: (one: Export) => number) => median(these.map(value))
    const seconds = middle((one) => one.seconds)
    const grownMb = middle((one) => one.grownMb ?? Number.NaN)
    const walMb = middle((one) => one.walMb ?? Number.NaN)
    const mb = middle((one) => one.bytes) / 1e6
    return { file, rowsPerSecond: scale / seconds, seconds, mb, grownMb, walMb }
  })
  const { rowsPerSecond, grownMb, walMb } = goals
  console.log(`\n${name}: exports of ${figure(scale)} students`)
  console.log(
    `goals for CSV: ${figure(rowsPerSecond)} rows a second, memory + ${grownMb} MB; the write-ahead log ${walMb} MB\n`,
  )
  console.log(
    table(
      ['file', 'rows/s', 's', 'MB', 'memory + MB', 'log, MB'],
      rows.map((row) => [
        row.file,
        figure(row.rowsPerSecond),
        figure(row.seconds, 2),
        figure(row.mb, 1),
        figure(row.grownMb),
        figure(row.walMb, 1),
      ]),
    ),
  )
  return { goals, rows }
}
