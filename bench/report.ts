import type { Measured } from './measure.ts'
import type { Operation } from './operations.ts'
import type { Seeded } from './seed.ts'
import { figure, table } from './table.ts'

/** What was measured of one operation; the bare server's figures stand last. */
export interface OperationResult {
  readonly operation: Operation
  readonly measured: readonly Measured[]
}

/** Prints one operation's figures, a row for each server. */
export function printOperation({ operation, measured }: OperationResult, seeded: Seeded): void {
  const { title, remark, connections } = operation
  const bare = measured.at(-1)!.median
  const hasDatabase = measured.some(({ median }) => median.databaseMicroseconds !== undefined)
  const rows = measured.map(({ server, median }) => [
    server,
    figure(median.perSecond),
    figure(median.p50, 2),
    figure(median.p99, 2),
    figure(median.cpuMicroseconds, 1),
    ...(hasDatabase ? [databaseCpu(median)] : []),
    figure(median.perSecond / bare.perSecond, 3),
    figure(bare.cpuMicroseconds! / median.cpuMicroseconds!, 3),
    `${figure(median.clientBusy * 100)} %`,
  ])
  const about = [`${connections} connections`, `${figure(bare.bytes)} bytes`, remark?.(seeded) ?? []].flat()
  console.log(`${title} (${about.join('; ')})`)
  const database = hasDatabase ? ["database's CPU"] : []
  const header = ['', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs/req', ...database, 'of bare', 'of bare by CPU']
  console.log(`${table([...header, 'client busy'], rows)}\n`)
}

/** Prints the engines side by side, a row for each operation. */
export function printEngines(results: readonly OperationResult[]): void {
  const rows = results.map(({ operation, measured }) => {
    const of = (name: Measured['server']) => measured.find(({ server }) => server === name)!.median
    const [bare, sqlite, postgres] = [of('bare'), of('SQLite'), of('PostgreSQL')]
    return [
      operation.title,
      figure(bare.perSecond),
      figure(sqlite.perSecond),
      figure(postgres.perSecond),
      figure(postgres.perSecond / sqlite.perSecond, 2),
      figure(sqlite.cpuMicroseconds, 1),
      figure(postgres.cpuMicroseconds, 1),
      databaseCpu(postgres),
    ]
  })
  const rates = ['req/s', 'bare', 'SQLite', 'PostgreSQL', 'PostgreSQL/SQLite']
  const cpu = ['CPU µs/req SQLite', 'PostgreSQL', "database's CPU"]
  console.log(`${table([...rates, ...cpu], rows)}\n`)
}

function databaseCpu({ databaseMicroseconds }: Measured['median']): string {
  return databaseMicroseconds === undefined ? '–' : figure(databaseMicroseconds, 1)
}
