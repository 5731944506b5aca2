import { type LoadResult, load } from './client.ts'
import { median } from './figures.ts'
import type { Operation } from './operations.ts'
import type { BareServer, Registrar, ServerProcess } from './servers.ts'
import { readUsage } from './usage.ts'

/** One server under one load. */
export type Measurement = LoadResult & {
  /** CPU time that the server spent on a request, in microseconds, over all its threads. */
  readonly cpuMicroseconds: number | undefined
}

/** The figures of all rounds, and their medians. */
export interface Measured {
  readonly server: 'registrar' | 'bare'
  readonly rounds: readonly Measurement[]
  readonly median: Pick<Measurement, 'perSecond' | 'p50' | 'p99' | 'cpuMicroseconds' | 'bytes' | 'clientBusy'>
}

export interface Pace {
  readonly seconds: number
  readonly rounds: number
}

const warmUpSeconds = 0.5

/** Measures an operation on both servers in turns, the bare one with answers as long as Registrar's. */
export async function measureInTurns(
  operation: Operation,
  next: () => string,
  { registrar, bare }: { registrar: Registrar; bare: BareServer },
  { seconds, rounds }: Pace,
): Promise<[registrar: Measured, bare: Measured]> {
  const measure = (server: ServerProcess, seconds: number) =>
    measureOnce(server, operation.connections, next, seconds)
  const { bytes } = await measure(registrar, 1)
  await bare.answerWith(bytes)
  await measure(bare, 1)
  const ofRegistrar: Measurement[] = []
  const ofBare: Measurement[] = []
  for (let round = 0; round < rounds; round++) {
    ofBare.push(await measure(bare, seconds))
    ofRegistrar.push(await measure(registrar, seconds))
    registrar.emptyLog()
  }
  return [summarise('registrar', ofRegistrar), summarise('bare', ofBare)]
}

async function measureOnce(
  { pid, port }: ServerProcess,
  connections: number,
  next: () => string,
  seconds: number,
): Promise<Measurement> {
  const cpu: (number | undefined)[] = []
  const onWindow = () => cpu.push(readUsage(pid)?.cpuMicroseconds)
  const result = await load({ port, connections, seconds, warmUpSeconds, next, onWindow })
  const [before, after] = cpu
  const used = before === undefined || after === undefined ? undefined : after - before
  return { ...result, cpuMicroseconds: used === undefined ? undefined : used / result.requests }
}

function summarise(server: Measured['server'], rounds: readonly Measurement[]): Measured {
  const middle = (value: (round: Measurement) => number) => median(rounds.map(value))
  const cpu = rounds.flatMap(({ cpuMicroseconds }) => cpuMicroseconds ?? [])
  return {
    server,
    rounds,
    median: {
      perSecond: middle(({ perSecond }) => perSecond),
      p50: middle(({ p50 }) => p50),
      p99: middle(({ p99 }) => p99),
      bytes: middle(({ bytes }) => bytes),
      clientBusy: middle(({ clientBusy }) => clientBusy),
      cpuMicroseconds: cpu.length === rounds.length ? median(cpu) : undefined,
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
