import { type LoadResult, load } from './client.ts'
import { median } from './figures.ts'
import type { Operation } from './operations.ts'
import type { BareServer, Registrar, ServerProcess } from './servers.ts'
import { readFamilyCpu, readUsage } from './usage.ts'

/** One server under one load. */
export type Measurement = LoadResult & {
  /** CPU time that the server spent on a request, in microseconds, over all its threads. */
  readonly cpuMicroseconds: number | undefined
  /** The same of the database's processes, where the database is a server. */
  readonly databaseMicroseconds: number | undefined
}

export type ServerName = 'registrar' | 'SQLite' | 'PostgreSQL' | 'bare'

/** A Registrar under measurement, with requests that its database can answer. */
export interface Contestant {
  readonly name: ServerName
  readonly server: Registrar
  readonly next: () => string
  /** The first process of a database server, whose CPU time is told apart. */
  readonly databasePid?: number | undefined
}

/** The figures of all rounds, and their medians. */
export interface Measured {
  readonly server: ServerName
  readonly rounds: readonly Measurement[]
  readonly median: Pick<
    Measurement,
    'perSecond' | 'p50' | 'p99' | 'cpuMicroseconds' | 'databaseMicroseconds' | 'bytes' | 'clientBusy'
  >
}

export interface Pace {
  readonly seconds: number
  readonly rounds: number
}

const warmUpSeconds = 0.5

/**
 * Measures an operation on every server in turns, the bare one with answers as long as the first contestant's.
 * @returns the contestants' figures in their order, the bare server's last
 */
export async function measureInTurns(
  { connections }: Operation,
  contestants: readonly Contestant[],
  bare: BareServer,
  { seconds, rounds }: Pace,
): Promise<Measured[]> {
  const figures = contestants.map((): Measurement[] => [])
  const ofBare: Measurement[] = []
  const bareTask = { name: 'bare', server: bare, next: contestants[0]!.next } as const
  const warmed = await measureOnce(contestants[0]!, connections, 1)
  for (const contestant of contestants.slice(1)) await measureOnce(contestant, connections, 1)
  await bare.answerWith(warmed.bytes)
  await measureOnce(bareTask, connections, 1)
  for (let round = 0; round < rounds; round++) {
    ofBare.push(await measureOnce(bareTask, connections, seconds))
    for (const [i, contestant] of contestants.entries()) {
      figures[i]!.push(await measureOnce(contestant, connections, seconds))
      contestant.server.emptyLog()
    }
  }
  const measured = contestants.map(({ name }, i) => summarise(name, figures[i]!))
  return [...measured, summarise('bare', ofBare)]
}

type Task = Pick<Contestant, 'next' | 'databasePid'> & { readonly server: ServerProcess }

async function measureOnce(
  { server: { pid, port }, next, databasePid }: Task,
  connections: number,
  seconds: number,
): Promise<Measurement> {
  const own: (number | undefined)[] = []
  const database: (number | undefined)[] = []
  const onWindow = () => {
    own.push(readUsage(pid)?.cpuMicroseconds)
    if (databasePid !== undefined) database.push(readFamilyCpu(databasePid))
  }
  const result = await load({ port, connections, seconds, warmUpSeconds, next, onWindow })
  const perRequest = ([before, after]: readonly (number | undefined)[]) =>
    before === undefined || after === undefined ? undefined : (after - before) / result.requests
  return { ...result, cpuMicroseconds: perRequest(own), databaseMicroseconds: perRequest(database) }
}

function summarise(server: ServerName, rounds: readonly Measurement[]): Measured {
  const middle = (value: (round: Measurement) => number) => median(rounds.map(value))
  const middleKnown = (values: readonly (number | undefined)[]) => {
    const known = values.filter((value) => value !== undefined)
    return known.length === rounds.length ? median(known) : undefined
  }
  return {
    server,
    rounds,
    median: {
      perSecond: middle(({ perSecond }) => perSecond),
      p50: middle(({ p50 }) => p50),
      p99: middle(({ p99 }) => p99),
      bytes: middle(({ bytes }) => bytes),
      clientBusy: middle(({ clientBusy }) => clientBusy),
      cpuMicroseconds: middleKnown(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds)),
      databaseMicroseconds: middleKnown(rounds.map(({ databaseMicroseconds }) => databaseMicroseconds)),
    },
  }
}

/** How many answers were wrong, by what was wrong with them. */
export function failuresOf(measured: readonly Measured[]): Record<string, number> {
  const failures: Record<string, number> = {}
  for (const { server, rounds } of measured) {
    for (const [what, count] of rounds.flatMap((round) => Object.entries(round.failures))) {
      const key = `${server} ${what}`
      failures[key] = (failures[key] ?? 0) + count
    }
  }
  return failures
}
