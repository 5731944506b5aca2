import type { Beside } from './beside.ts'
import { median } from './figures.ts'
import { type Phase, type PhaseCost, phases } from './import-phases.ts'
import { figure, table } from './table.ts'

/** What was measured in one round. */
export interface Figures {
  /** A school's file, planned and applied, in seconds. */
  readonly school: number
  readonly phases: ReadonlyMap<Phase, PhaseCost>
  /** By how many MB the memory grew: for the plan and the application of a CSV file, and for the plan of a spreadsheet. */
  readonly grownMb: number
  readonly xlsxMb: number
  readonly walMb: number | undefined
  readonly beside: readonly Beside[]
  readonly slowDiskSeconds: number
}

/** What issue 23 asks for, of 100 000 rows. */
const goals = {
  SQLite: { plan: 10, apply: 20, unchanged: 5 },
  PostgreSQL: { plan: 10, apply: 25, unchanged: 5 },
  schoolSeconds: 2,
  csvMb: 64,
  xlsxMb: 150,
  readsTimes: 3,
  writesMs: 250,
  walMb: 64,
  slowDiskSeconds: 40,
} as const

/** Prints the medians of all rounds. @returns the rounds, for programs */
export function report(name: 'SQLite' | 'PostgreSQL', rounds: readonly Figures[], scale: number): object {
  const middle = (value: (round: Figures) => number | undefined) =>
    median(rounds.map((round) => value(round) ?? Number.NaN))
  const { plan, apply, unchanged } = goals[name]
  console.log(`\n${name}: imports of ${figure(scale)} rows`)
  console.log(
    `goals with 100 000: read, survey and plan ${plan} s, apply ${apply} s, unchanged ${unchanged} s\n`,
  )
  const cost = (phase: Phase, of: keyof PhaseCost) => middle((round) => round.phases.get(phase)?.[of])
  console.log(
    table(
      ['phase', 's', 'CPU s', 'event loop', 'database', 'waited for a core'],
      phases.map((phase) => [
        phase,
        ...(['seconds', 'cpu', 'loopCpu', 'databaseCpu', 'loopWaited'] as const).map((of) =>
          figure(cost(phase, of), 2),
        ),
      ]),
    ),
  )
  const besides = rounds[0]!.beside.map(({ during }, i) => {
    const of = (name: Exclude<keyof Beside, 'during'>) =>
      figure(
        middle((round) => round.beside[i]![name]),
        1,
      )
    return [during, of('readP50'), of('readP99'), of('writeP50'), of('writeP99')]
  })
  console.log(`\n${table(['beside', 'reads p50 ms', 'p99 ms', 'writes p50 ms', 'p99 ms'], besides)}`)
  console.log(`goals: reads' p99 ${goals.readsTimes} times, writes' p99 ${goals.writesMs} ms\n`)
  const others = [
    ['plan and apply of 800 rows, s', middle(({ school }) => school), goals.schoolSeconds],
    ['memory for CSV, + MB', middle(({ grownMb }) => grownMb), goals.csvMb],
    ['memory for XLSX, + MB', middle(({ xlsxMb }) => xlsxMb), goals.xlsxMb],
    ['write-ahead log, MB', middle(({ walMb }) => walMb), goals.walMb],
    ['a flush of 5 ms more, s', middle(({ slowDiskSeconds }) => slowDiskSeconds), goals.slowDiskSeconds],
  ] as const
  console.log(
    table(
      ['what', 'figure', 'goal'],
      others.map(([what, value, goal]) => [what, figure(value, 1), figure(goal)]),
    ),
  )
  return { goals, rounds: rounds.map((round) => ({ ...round, phases: Object.fromEntries(round.phases) })) }
}
