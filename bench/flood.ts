import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkLogin, countLogin } from '../src/access/throttle.ts'
import { openDatabase } from '../src/db/open.ts'
import { write } from '../src/events/write.ts'
import { keepBusy, type LoadResult, load } from './client.ts'
import { median, quantile } from './figures.ts'
import type { FloodReport, FloodTask } from './flood-client.ts'
import { inTemporaryFolder } from './folder.ts'
import type { Options } from './options.ts'
import { getOne, health, logInAs, login } from './requests.ts'
import { type Seeded, seed } from './seed.ts'
import { type Registrar, startRegistrar } from './servers.ts'
import { figure, table } from './table.ts'
import { readMachineCpu, readUsage } from './usage.ts'

const connections = 1_000
const classroom = 30
/** Those who log in while the flood runs come each from another address, as people do. */
const honestAddresses = Array.from({ length: 250 }, (_, i) => `127.0.10.${i + 1}`)
const everyMs = 200
const classroomAddress = '127.0.9.2'
/** Has failed so often before the flood that it is to wait: nearly all of the flood is refused unhashed. */
const spentAddress = '127.0.9.3'

/** What issue and design ask for: milliseconds, but for the reads, which may take so many times what they took. */
const goals = { reads: 3, healthP99: 150, loginP95: 500, classroom: 1_000, recovery: 2_000 }

interface Flood {
  readonly title: string
  /** Of the round, so that each begins with addresses that have not failed yet. */
  readonly from: (round: number) => readonly string[]
  readonly wrongOfTen: number
}

const floods: readonly Flood[] = [
  { title: 'one address, half wrong', from: (round) => [`127.0.1.${round + 1}`], wrongOfTen: 5 },
  { title: 'one address, all right', from: (round) => [`127.0.2.${round + 1}`], wrongOfTen: 0 },
  { title: 'one address, to wait', from: () => [spentAddress], wrongOfTen: 10 },
  {
    title: '200 addresses, half wrong',
    from: (round) => Array.from({ length: 200 }, (_, i) => `127.1.${round}.${i + 1}`),
    wrongOfTen: 5,
  },
]

/** What the others notice while a flood runs, or while none does. */
interface Weather {
  readonly reads: LoadResult
  readonly health: LoadResult
  readonly logins: Pick<LoadResult, 'p50' | 'p95' | 'failures'>
  /** When the last of the classroom was logged in, in milliseconds, and how many were refused. */
  readonly classroomMs: number
  readonly refused: number
  /** Share of one core that the server used, over all its threads. */
  readonly serverBusy: number
  /** Share of one core that all but the server used: the clients, the flood, and what else the machine does. */
  readonly othersBusy: number
}

interface Disturbed extends Weather {
  readonly flood: FloodReport
  /** From the flood's end to the first of ten logins in a row that take what they take undisturbed. */
  readonly recoveryMs: number
}

/**
 * Measures what a flood of logins, 1 000 connections without pause, does to everyone else: with the flood at
 * the server's own priority, and at the lowest, where it takes of the machine what the server leaves.
 * @returns the figures, for programs
 */
export async function benchFlood({ scale, seconds, rounds, profile }: Options): Promise<object> {
  const results: object[] = []
  await inTemporaryFolder(async (folder) => {
    const databaseUrl = `sqlite:${join(folder, 'registrar.db')}`
    const seeded = await seed(databaseUrl, scale)
    await spend(databaseUrl, spentAddress)
    const server = await startRegistrar(databaseUrl, folder, profile)
    await observe(server, seeded, 1)
    const calm: Weather[] = []
    for (let round = 0; round < rounds; round++) calm.push(await observe(server, seeded, seconds))
    results.push({ title: 'undisturbed', rounds: calm })
    printHeader(scale)
    for (const nice of [0, 19]) {
      const rows: string[][] = []
      for (const flood of floods) {
        const disturbed: Disturbed[] = []
        for (let round = 0; round < rounds; round++) {
          const from = flood.from(nice === 0 ? round : 100 + round)
          disturbed.push(await withstand(server, seeded, seconds, { ...flood, from, nice }, calm))
          server.emptyLog()
        }
        results.push({ title: flood.title, nice, rounds: disturbed })
        rows.push(...rowsOf(flood.title, calm, disturbed))
      }
      console.log(`\nthe flood's priority is ${nice === 0 ? "the server's" : 'the lowest (nice 19)'}`)
      console.log(table(['flood', 'what', 'undisturbed', 'disturbed', 'goal', ''], rows, 2))
    }
    const peakMb = readUsage(server.pid)?.peakResidentMb
    console.log(`\nresident memory at the most: ${figure(peakMb)} MB`)
    await server.stop()
  })
  return { connections, scale, goals, results }
}

/** Lets an address fail until it has to wait. */
async function spend(databaseUrl: string, address: string): Promise<void> {
  const db = await openDatabase(databaseUrl, { create: false, limits: false })
  await write(db, { command: 'bench' }, async (db) => {
    for (let i = 0; i < 300; i++) {
      const attempt = { email: `spent${i}@school.example`, address }
      await countLogin(db, await checkLogin(db, attempt, new Date()), new Date())
    }
  })
  await db.destroy()
}

async function observe(server: Registrar, seeded: Seeded, seconds: number): Promise<Weather> {
  const { port, pid } = server
  const honest = { port, seconds, warmUpSeconds: 0.5, connections: 1 }
  const own = () => readUsage(pid)?.cpuMicroseconds ?? Number.NaN
  const all = () => readMachineCpu() ?? Number.NaN
  const [ownBefore, allBefore] = [own(), all()]
  const began = performance.now()
  const [reads, ofHealth, logins] = await Promise.all([
    load({ ...honest, everyMs: 5, next: getOne(seeded) }),
    load({ ...honest, everyMs: 5, next: health }),
    logInNowAndThen(port, seeded, seconds),
  ])
  const [ownCpu, allCpu] = [own() - ownBefore, all() - allBefore]
  const microseconds = 1000 * (performance.now() - began)
  const busy = { serverBusy: ownCpu / microseconds, othersBusy: (allCpu - ownCpu) / microseconds }
  return { reads, health: ofHealth, logins, ...busy, ...(await logInAsClassroom(port, seeded)) }
}

/** One person after another logs in, each from an address of their own. */
async function logInNowAndThen(port: number, seeded: Seeded, seconds: number): Promise<Weather['logins']> {
  const next = login(seeded)
  const answers = await Promise.all(
    Array.from({ length: (seconds * 1000) / everyMs }, async (_, i) => {
      await sleep(i * everyMs)
      return logInOnce(port, honestAddresses[i % honestAddresses.length]!, next(i))
    }),
  )
  const latencies = answers.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  const failures: Record<string, number> = {}
  for (const { status } of answers) if (status !== '200') failures[status] = (failures[status] ?? 0) + 1
  return { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95), failures }
}

async function logInOnce(port: number, from: string, request: string) {
  const began = performance.now()
  let status: string | undefined
  const tell = (what: string) => {
    status ??= what
  }
  let milliseconds = Number.NaN
  await keepBusy({ port, from }, () => request, {
    everyMs: 0,
    beginsAfterMs: 0,
    goesOn: () => status === undefined,
    onAnswer: (answer) => {
      milliseconds = performance.now() - began
      tell(String(answer.status))
    },
    onBroken: tell,
  })
  return { status: status!, milliseconds }
}

/** Thirty accounts log in at one moment, from one address. */
async function logInAsClassroom(port: number, { loginEmails, password }: Seeded) {
  const answers = await Promise.all(
    loginEmails
      .slice(0, classroom)
      .map((email) => logInOnce(port, classroomAddress, logInAs(email, password))),
  )
  return {
    classroomMs: Math.max(...answers.map(({ milliseconds }) => milliseconds)),
    refused: answers.filter(({ status }) => status !== '200').length,
  }
}

interface RoundOfFlood {
  readonly from: readonly string[]
  readonly wrongOfTen: number
  readonly nice: number
}

async function withstand(
  server: Registrar,
  seeded: Seeded,
  seconds: number,
  { from, wrongOfTen, nice }: RoundOfFlood,
  calm: readonly Weather[],
): Promise<Disturbed> {
  const { loginEmails: emails, password } = seeded
  const { port } = server
  const task: FloodTask = { port, connections, from, emails, password, wrongOfTen, nice }
  const child = fork(join(import.meta.dirname, 'flood-client.ts'), [JSON.stringify(task)])
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const report = async () => {
    child.send('report')
    const [message] = await once(child, 'message')
    return message as FloodReport
  }
  await sleep(1_000)
  await report()
  const weather = await observe(server, seeded, seconds)
  const flood = await report()
  const exited = once(child, 'exit')
  kill()
  await exited
  process.off('exit', kill)
  const usualMs = 2 * median(calm.map(({ logins }) => logins.p95))
  return { ...weather, flood, recoveryMs: await recover(port, seeded, usualMs) }
}

/** Logs in again and again until it takes what it usually takes, ten times in a row; gives up after 10 s. */
async function recover(port: number, seeded: Seeded, usualMs: number): Promise<number> {
  const next = login(seeded)
  const began = performance.now()
  let since = 0
  let inARow = 0
  for (let i = 0; inARow < 10; i++) {
    if (performance.now() - began > 10_000) return Number.POSITIVE_INFINITY
    const { status, milliseconds } = await logInOnce(port, honestAddresses[i % 250]!, next(i))
    if (status !== '200' || milliseconds > usualMs) inARow = 0
    else if (inARow++ === 0) since = performance.now() - began
  }
  return since
}

function printHeader(scale: number): void {
  console.log(
    `${connections} clients log in without pause; ${figure(scale)} students; milliseconds, medians of the rounds`,
  )
}

function rowsOf(title: string, calm: readonly Weather[], disturbed: readonly Disturbed[]): string[][] {
  const middle = <Of extends Weather>(rounds: readonly Of[], value: (round: Of) => number) =>
    median(rounds.map(value))
  const row = (what: string, value: (round: Weather) => number, goal?: number) => {
    const found = middle(disturbed, value)
    return [
      '',
      what,
      figure(middle(calm, value), 1),
      figure(found, 1),
      goal === undefined ? '' : `≤ ${figure(goal, 1)}`,
      goal === undefined ? '' : verdict(found <= goal),
    ]
  }
  const readsGoal = goals.reads * middle(calm, ({ reads }) => reads.p99)
  const failures = disturbed.reduce(
    (sum, { reads, health, logins, refused }) =>
      sum +
      refused +
      [reads, health, logins].flatMap((found) => Object.values(found.failures)).reduce((a, b) => a + b, 0),
    0,
  )
  const recoveryMs = middle(disturbed, (round) => round.recoveryMs)
  const answers: Record<string, number> = {}
  for (const [what, count] of disturbed.flatMap(({ flood }) => Object.entries(flood.answers)))
    answers[what] = (answers[what] ?? 0) + count
  return [
    [title, 'read p50', ...row('', ({ reads }) => reads.p50).slice(2)],
    row('read p99', ({ reads }) => reads.p99, readsGoal),
    row('health p99', ({ health }) => health.p99, goals.healthP99),
    row('login p50', ({ logins }) => logins.p50),
    row('login p95', ({ logins }) => logins.p95, goals.loginP95),
    row('30 logins at once', ({ classroomMs }) => classroomMs, goals.classroom),
    ['', 'failures of these', '0', figure(failures), '0', verdict(failures === 0)],
    [
      '',
      'normal after',
      '',
      figure(recoveryMs, 1),
      `≤ ${figure(goals.recovery)}`,
      verdict(recoveryMs <= goals.recovery),
    ],
    ['', 'server, cores', ...row('', ({ serverBusy }) => serverBusy).slice(2)],
    ['', 'all others, cores', ...row('', ({ othersBusy }) => othersBusy).slice(2)],
    [
      '',
      'flood, cores',
      '',
      figure(
        middle(disturbed, ({ flood }) => flood.busy),
        2,
      ),
      '',
      '',
    ],
    ['', `flood: ${JSON.stringify(answers)}`, '', '', '', ''],
  ]
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED'
}
