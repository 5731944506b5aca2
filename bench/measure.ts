import { type LoadResult, load, type Requests } from './client.ts'
import { median } from './figures.ts'
import type { Operation } from './operations.ts'
import { readOnThread } from './read-on-thread.ts'
import type { Seeded } from './seed.ts'
import type { BareServer, ServerProcess } from './servers.ts'
import { readFamilyCpu, readUsage } from './usage.ts'

/** One server under one load. */
export interface Measurement extends LoadResult {
  /**
   * CPU time that the server spent on a request, in microseconds, over all its threads; what it did for the
   * writes beside is in it.
   */
  readonly cpuMicroseconds: number | null
  /** The same of the database's processes, where the database is a server. */
  readonly databaseMicroseconds: number | null
}

/** A server under measurement, with what its database holds. */
export interface Contestant {
  readonly name: string
  readonly server: ServerProcess
  readonly seeded: Seeded
  /** The first process of a database server, whose CPU time is told apart. */
  readonly databasePid?: number | undefined
}

/** The medians of all rounds, and the rounds. */
export interface Measured {
  readonly server: string
  readonly median: Measurement
  readonly rounds: readonly Measurement[]
}

export interface Pace {
  readonly seconds: number
  readonly rounds: number
}

const warmUpSeconds = 0.25
const maxWarmUps = 20

/**
 * Measures an operation on every server in turns, the bare one with answers as long as the first contestant's.
 * @returns the contestants' figures in their order, the bare server's last
 */
export async function measureInTurns(
  operation: Operation,
  contestants: readonly [Contestant, ...Contestant[]],
  bare: BareServer,
  { seconds, rounds }: Pace,
): Promise<Measured[]> {
  const tasks = contestants.map((contestant) => taskOf(operation, contestant))
  const bareTask = taskOf(operation, {
    ...contestants[0],
    name: 'bare',
    server: bare,
    databasePid: undefined,
  })
  const warmed: Measurement[] = []
  for (const task of tasks) warmed.push(await warmUp(task))
  await bare.answerWith(warmed[0]!.bytes)
  await warmUp(bareTask)
  const inOrder = [...tasks, bareTask]
  const figures = inOrder.map((): Measurement[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, task] of inOrder.entries()) {
      figures[i]!.push(await measureOnce(task, seconds))
      task.server.emptyLog?.()
    }
  }
  return inOrder.map(({ name }, i) => ({ server: name, median: middleOf(figures[i]!), rounds: figures[i]! }))
}

/** An operation as it is done to one server. */
interface Task extends Contestant {
  readonly operation: Operation
  readonly next: Requests
  readonly nextBeside: Requests | undefined
}

function taskOf(operation: Operation, contestant: Contestant): Task {
  const { requests, beside } = operation
  const { seeded } = contestant
  return { ...contestant, operation, next: requests(seeded), nextBeside: beside?.requests(seeded) }
}

/**
 * Loads a server, a second at a time, until it gets no faster six times in a row. V8 compiles what is hot bit by bit, and
 * needs ten seconds for it where the client keeps the other core busy: who is measured first would look slow. In loads
 * that leave the machine time, one second is enough.
 */
async function warmUp(task: Task): Promise<Measurement> {
  const first = await measureOnce(task, 1)
  let best = first.perSecond
  for (let more = 0, since = 0; task.operation.neverSleeps && since < 6 && more < maxWarmUps; more++) {
    const { perSecond } = await measureOnce(task, 1)
    since = perSecond > 1.03 * best ? 0 : since + 1
    best = Math.max(best, perSecond)
    task.server.emptyLog?.()
  }
  return first
}

async function measureOnce(task: Task, seconds: number): Promise<Measurement> {
  const { operation, server, next, nextBeside, databasePid, seeded } = task
  const { connections, everyMs, beside, onThread } = operation
  const { pid, port } = server
  const own: (number | undefined)[] = []
  const database: (number | undefined)[] = []
  const onWindow = () => {
    own.push(readUsage(pid)?.cpuMicroseconds)
    if (databasePid !== undefined) database.push(readFamilyCpu(databasePid))
  }
  // A database server needs the core that such a client would keep to itself.
  const neverSleeps = operation.neverSleeps && databasePid === undefined
  const pace = { port, seconds, warmUpSeconds }
  const measured = onThread
    ? readOnThread({ ...pace, seeded })
    : load({ ...pace, connections, everyMs, neverSleeps, next, onWindow })
  const others =
    beside !== undefined && nextBeside !== undefined
      ? await load({ ...pace, ...beside, next: nextBeside })
      : undefined
  const result = await measured
  const perRequest = ([before, after]: readonly (number | undefined)[]) =>
    before === undefined || after === undefined || result.requests === 0
      ? null
      : (after - before) / result.requests
  return {
    ...result,
    failures: sumOf([result.failures, others?.failures ?? {}]),
    cpuMicroseconds: perRequest(own),
    databaseMicroseconds: perRequest(database),
  }
}

function middleOf(rounds: readonly Measurement[]): Measurement {
  const middle = (value: (round: Measurement) => number) => median(rounds.map(value))
  const middleKnown = (value: (round: Measurement) => number | null) => {
    const known = rounds.map(value).filter((value) => value !== null)
    return known.length === rounds.length ? median(known) : null
  }
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    requests: middle(({ requests }) => requests),
    p50: middle(({ p50 }) => p50),
    p95: middle(({ p95 }) => p95),
    p99: middle(({ p99 }) => p99),
    bytes: middle(({ bytes }) => bytes),
    clientBusy: middle(({ clientBusy }) => clientBusy),
    cpuMicroseconds: middleKnown(({ cpuMicroseconds }) => cpuMicroseconds),
    databaseMicroseconds: middleKnown(({ databaseMicroseconds }) => databaseMicroseconds),
    failures: sumOf(rounds.map(({ failures }) => failures)),
  }
}

function sumOf(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [what, count] of all.flatMap((one) => Object.entries(one)))
    sums[what] = (sums[what] ?? 0) + count
  return sums
}
