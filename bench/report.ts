import { isMissed } from './goals.ts'
import type { Judged, OperationResult, PlatformResult, Run, ServerResult } from './results.ts'
import { figure, table } from './table.ts'

/** Prints one operation's figures, a row for each server. */
export function printOperation({ title, connections, about, servers }: OperationResult): void {
  const bare = servers.at(-1)!
  const hasDatabase = servers.some(({ databaseMicroseconds }) => databaseMicroseconds !== null)
  const rows = servers.map((result) => [
    result.server,
    figure(result.perSecond),
    figure(result.p50, 2),
    figure(result.p99, 2),
    figure(result.cpuMicroseconds, 1),
    ...(hasDatabase ? [databaseCpu(result, 1)] : []),
    figure(result.ofBare, 3),
    figure(result.ofBareByCpu, 3),
    `${figure(result.clientBusy * 100)} %`,
    result.judged === null ? '' : result.judged.goal,
    result.judged === null ? '' : result.judged.verdict,
  ])
  const connected = `${connections} connection${connections === 1 ? '' : 's'}`
  console.log(`${title} (${[connected, `${figure(bare.bytes)} bytes`, about].filter(Boolean).join('; ')})`)
  const database = hasDatabase ? ["database's CPU"] : []
  const header = ['', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs/req', ...database, 'of bare', 'of bare by CPU']
  console.log(`${table([...header, 'client busy', 'goal', ''], rows)}\n`)
}

/** Prints what holds of each server as a whole, and how many goals are met. */
export function printPlatforms({ platforms, operations }: Run): void {
  const rows = platforms.flatMap(({ server, judged }) =>
    judged.map(({ goal, value, verdict }, i) => [i === 0 ? server : '', goal, figure(value, 1), verdict]),
  )
  console.log(`${table(['', 'goal', '', ''], rows, 2)}\n`)
  const all = [...platforms.flatMap(judgedOfPlatform), ...operations.flatMap(judgedOfOperation)]
  const missed = all.filter(({ judged }) => isMissed(judged.verdict))
  console.log(`${all.length - missed.length} of ${all.length} goals are met`)
  for (const { what, judged } of missed)
    console.log(`missed: ${what}: ${judged.goal}, and it is ${figure(judged.value, 2)}`)
}

type Subject = { readonly what: string; readonly judged: Judged }

function judgedOfPlatform({ server, judged }: PlatformResult): Subject[] {
  return judged.map((judged) => ({ what: server, judged }))
}

function judgedOfOperation({ title, servers }: OperationResult): Subject[] {
  return servers.flatMap(({ server, judged }) => (judged ? [{ what: `${title}, ${server}`, judged }] : []))
}

/** A database's own CPU time; a dash where there is no such process. */
export function databaseCpu({ databaseMicroseconds }: ServerResult, digits: number): string {
  return databaseMicroseconds === null ? '–' : figure(databaseMicroseconds, digits)
}
