import type { Chart } from './chart.ts'
import { growthGoal, judge, type Verdict } from './goals.ts'
import { engineTitles, flatOperations, type Run, type ServerResult, smallSqlite } from './results.ts'

/** The operations whose cost is shown against the size. */
export const shownOperations: Readonly<Record<string, string>> = {
  get: 'get one',
  list: 'list page 1',
  last: 'list the last page',
  rare: 'search a rare word',
  'two-words': 'search two words',
  common: 'search a common word',
}

/** From this size on, growth is judged. */
const large = 1_000_000

/** The cost of one operation on one engine at each size; null where it was not measured. */
export interface CostRow {
  readonly engine: string
  readonly title: string
  readonly costs: readonly (number | null)[]
  /** The largest size's cost by that of the small database in the same run, where it should not grow. */
  readonly growth: { readonly times: number; readonly verdict: Verdict } | null
}

export function costRows(runs: readonly Run[]): CostRow[] {
  return engineTitles.flatMap((engine) =>
    Object.entries(shownOperations).map(([name, title]) => ({
      engine,
      title,
      costs: runs.map((run) => costOf(run, engine, name)),
      growth: engine === 'SQLite' && flatOperations.includes(name) ? growthOf(runs, name) : null,
    })),
  )
}

/** A plot for each engine, with the same axes. */
export function costCharts(runs: readonly Run[]): { name: string; chart: Chart }[] {
  const rows = costRows(runs)
  const sizes = runs.map(({ students }) => students)
  return engineTitles.map((engine) => ({
    name: engine.toLowerCase(),
    chart: {
      title: `${engine}: CPU time of a request, by the number of students`,
      xTitle: 'students',
      yTitle: engine === 'SQLite' ? 'CPU µs of the server' : 'CPU µs of server and database',
      y: rows.flatMap(({ costs }) => costs.filter((cost) => cost !== null)),
      x: sizes,
      lines: rows
        .filter((row) => row.engine === engine)
        .map(({ title, costs }) => ({ title, points: sizes.map((x, i) => ({ x, y: costs[i] ?? null })) })),
    },
  }))
}

/** CPU time of a request in microseconds: the server's, and the database's where that is another process. */
function costOf(run: Run, engine: string, name: string): number | null {
  const result = resultOf(run, engine, name)
  if (!result || result.cpuMicroseconds === null) return null
  return result.cpuMicroseconds + (result.databaseMicroseconds ?? 0)
}

/** Both costs are of one run, whose servers took turns: a machine's good and bad hours fall out. */
function growthOf(runs: readonly Run[], name: string): CostRow['growth'] {
  const last = runs.at(-1)
  if (last === undefined || last.students < large) return null
  const [least, most] = [costOf(last, smallSqlite.title, name), costOf(last, 'SQLite', name)]
  if (least === null || most === null) return null
  const times = most / least
  return { times, verdict: judge(growthGoal, times, last.students) }
}

function resultOf(run: Run, server: string, name: string): ServerResult | undefined {
  const operation = run.operations.find((operation) => operation.name === name)
  return operation?.servers.find((result) => result.server === server)
}
