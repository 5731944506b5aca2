import { costRows } from './costs.ts'
import type { Figures } from './document.ts'
import { describeGoal, growthGoal, isMissed, type Verdict } from './goals.ts'
import { inWords } from './machine.ts'
import type { Packages } from './packages.ts'
import { databaseCpu } from './report.ts'
import type { Judged, Run } from './results.ts'
import { figure } from './table.ts'

/** The document's tables, by the names of their places. */
export function blocks({ runs, packages }: Figures): Record<string, string> {
  const whole = runs.filter(({ operations }) => operations.length === most(runs)).at(-1)
  return {
    runs: describeRuns(runs),
    operations: whole === undefined ? '' : describeOperations(whole),
    platforms: describePlatforms(runs),
    costs: describeCosts(runs),
    packages: describePackages(packages),
  }
}

function most(runs: readonly Run[]): number {
  return Math.max(...runs.map(({ operations }) => operations.length))
}

/** A table in Markdown; figures to the right. */
function markdownTable(header: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll('  ', ' ')
  const rule = header.map((_, column) => (column < texts ? '---' : '--:'))
  return [line(header), `|${rule.join('|')}|`, ...rows.map(line)].join('\n')
}

function describeRuns(runs: readonly Run[]): string {
  const rows = runs.map(({ students, measuredAt, rounds, seconds, machine, postgres }) => [
    figure(students),
    `${measuredAt.slice(0, 16).replace('T', ' ')} UTC`,
    `${rounds} × ${seconds} s`,
    inWords(machine),
    postgres ?? '–',
  ])
  return markdownTable(['students', 'measured', 'rounds', 'machine', 'PostgreSQL'], rows, 5)
}

function describeOperations({ students, operations }: Run): string {
  const rows = operations.flatMap(({ title, connections, about, servers }) =>
    servers.map((result, i) => [
      i === 0 ? `**${title}**` : i === 1 ? [`${connections} conn.`, about].filter(Boolean).join('; ') : '',
      result.server,
      figure(result.perSecond),
      figure(result.p50, 2),
      figure(result.p99, 2),
      figure(result.cpuMicroseconds),
      databaseCpu(result, 0),
      figure(result.ofBare, 2),
      figure(result.ofBareByCpu, 2),
      ...judgedCells(result.judged),
    ]),
  )
  const header = [
    'operation',
    'server',
    'req/s',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    "database's",
    'of bare',
    'by CPU',
  ]
  return `With ${figure(students)} students:\n\n${markdownTable([...header, 'goal', ''], rows, 2)}`
}

/** The goal of a figure and whether it is met; what is missed stands out. */
function judgedCells(judged: Judged | null): [string, string] {
  if (judged === null) return ['', '']
  return [judged.goal, marked(judged.verdict)]
}

function marked(verdict: Verdict): string {
  return isMissed(verdict) ? `**${verdict}**` : verdict
}

function describePlatforms(runs: readonly Run[]): string {
  const rows = runs.flatMap(({ students, platforms }) =>
    platforms.map((platform) => {
      const { server, judged, fullMb, plainMb, seedSeconds } = platform
      const cells = judged.map(({ figure: name, value, verdict }) => {
        const text = figure(value, name === 'ofPlain' ? 2 : 0)
        return verdict === 'missed' ? `**${text}**` : text
      })
      const [start = '', idle = '', peak = '', ofPlain = ''] = cells
      const sizes = [figure(fullMb, 1), figure(plainMb, 1), ofPlain || figure(fullMb / plainMb, 2)]
      return [figure(students), server, start, idle, peak, ...sizes, figure(seedSeconds)]
    }),
  )
  const header = [
    'students',
    'server',
    'start ms',
    'idle MB',
    'peak MB',
    'on disk MB',
    'plain MB',
    'of plain',
  ]
  const goals = runs[0]?.platforms[0]?.judged.map(({ goal }) => goal).join('; ')
  return `${markdownTable([...header, 'seeding s'], rows, 2)}\n\nGoals: ${goals} on SQLite. What is **bold** misses its goal.`
}

function describeCosts(runs: readonly Run[]): string {
  const rows = costRows(runs).map(({ engine, title, costs, growth }) => [
    engine,
    title,
    ...costs.map((cost) => (cost === null ? '' : figure(cost))),
    growth === null ? '' : `${figure(growth.times, 2)} times`,
    growth === null ? '' : marked(growth.verdict),
  ])
  const sizes = runs.map(({ students }) => figure(students))
  const table = markdownTable(['server', 'CPU µs a request', ...sizes, 'growth', ''], rows, 2)
  return `${table}\n\nGoal for getting one and for the list's first page: ${describeGoal(growthGoal)} from a thousand students to the largest size, on SQLite.`
}

function describePackages({ direct, count, totalKb }: Packages): string {
  const rows = direct.map(({ name, version, isOptional, ownKb, wholeKb, brings }) => [
    `\`${name}\` ${version}${isOptional ? ' (optional)' : ''}`,
    figure(ownKb),
    String(brings),
    figure(wholeKb),
  ])
  const all = ['**all but the optional, each once**', '', String(count), figure(totalKb)]
  return markdownTable(['package', 'KB', 'brings', 'with them, KB'], [...rows, all])
}
