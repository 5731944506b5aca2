import {
  describeGoal,
  type GoalFigure,
  goalOfPostgres,
  goalsOfPlatform,
  judge,
  type Verdict,
} from './goals.ts'
import type { Machine } from './machine.ts'
import type { Measured, Measurement } from './measure.ts'
import type { Operation } from './operations.ts'
import type { Seeded } from './seed.ts'

/** What the figures call Registrar on each engine. */
export const engineTitles = ['SQLite', 'PostgreSQL'] as const

/** A server on a small database, which takes its turns beside a larger one: growth is told within one run. */
export const smallSqlite = { title: 'SQLite, 1 000', students: 1_000 } as const

/** The operations that may cost no more on SQLite with a million students than with a thousand. */
export const flatOperations: readonly string[] = ['get', 'list']

/** The figures of one run of the suite, for programs; null where a figure is not known. */
export interface Run {
  readonly measuredAt: string
  readonly machine: Machine
  /** PostgreSQL's version and settings. */
  readonly postgres: string | null
  readonly students: number
  readonly seconds: number
  readonly rounds: number
  readonly platforms: readonly PlatformResult[]
  readonly operations: readonly OperationResult[]
}

/** A figure of the platform or of an operation, beside its goal. */
export interface Judged {
  readonly goal: string
  readonly figure: GoalFigure
  readonly value: number | null
  readonly verdict: Verdict
}

export interface PlatformFigures {
  /** From the start of the process to the first healthy answer, in milliseconds. */
  readonly startMs: number
  /** Resident memory in MB: a second after the start, and the most in all the loads. */
  readonly idleMb: number | null
  readonly peakMb: number | null
  /** What students take on disk, in MB: as they are, and as a plain table with its indexes. */
  readonly fullMb: number
  readonly plainMb: number
  readonly seedSeconds: number
}

/** What holds of a server as a whole. */
export interface PlatformResult extends PlatformFigures {
  readonly server: string
  readonly judged: readonly Judged[]
}

/** What was measured of one operation; the bare server stands last. */
export interface OperationResult {
  readonly name: string
  readonly title: string
  readonly connections: number
  readonly about: string
  readonly servers: readonly ServerResult[]
}

/** One server's medians; `rounds` is left out of what is kept for the document. */
export interface ServerResult extends Measurement {
  readonly server: string
  /** Requests per second, divided by the bare server's. */
  readonly ofBare: number
  /** The bare server's CPU time for a request, divided by this one's. */
  readonly ofBareByCpu: number | null
  readonly judged: Judged | null
  readonly rounds?: readonly Measurement[]
}

/** Sets each server's figures of an operation beside the bare server's and the goal. */
export function operationResult(
  { name, title, connections, goal, isCompared = false, remark }: Operation,
  measured: readonly Measured[],
  seeded: Seeded,
): OperationResult {
  const bare = measured.at(-1)!.median
  const sqlite = measured.find(({ server }) => server === 'SQLite')?.median
  const goals = { SQLite: goal, PostgreSQL: isCompared ? goalOfPostgres : undefined }
  const servers = measured.map(({ server, median, rounds }): ServerResult => {
    const { cpuMicroseconds: cpu } = median
    const ofBare = median.perSecond / bare.perSecond
    const ofBareByCpu = bare.cpuMicroseconds && cpu ? bare.cpuMicroseconds / cpu : null
    const ofSqlite = sqlite ? median.p50 / sqlite.p50 : null
    const values = { p50: median.p50, p99: median.p99, ofBare, ofSqlite }
    const own = isOurs(server) ? goals[server] : undefined
    const judged = own === undefined ? null : judgedBy(own, values, seeded.students)
    return { server, ...median, ofBare, ofBareByCpu, judged, rounds }
  })
  return { name, title, connections, about: remark?.(seeded) ?? '', servers }
}

/** Sets what holds of a server as a whole beside its goals. */
export function platformResult(server: string, figures: PlatformFigures, students: number): PlatformResult {
  const values = { ...figures, ofPlain: figures.fullMb / figures.plainMb }
  const goals = isOurs(server) ? goalsOfPlatform[server] : []
  return { server, ...figures, judged: goals.map((goal) => judgedBy(goal, values, students)) }
}

/** Registrar on an engine, and not the yardstick or another's server: the goals are ours. */
function isOurs(server: string): server is (typeof engineTitles)[number] {
  return engineTitles.some((title) => title === server)
}

type Values = Partial<Record<GoalFigure, number | null>>

function judgedBy(goal: Parameters<typeof judge>[0], values: Values, students: number): Judged {
  const value = values[goal.figure] ?? null
  const known = value === null || Number.isNaN(value) ? null : value
  return {
    goal: describeGoal(goal),
    figure: goal.figure,
    value: known,
    verdict: judge(goal, known, students),
  }
}

/** Wrong answers by server and what was wrong: any of them makes every figure worthless. */
export function failuresOf({ operations }: Pick<Run, 'operations'>): Record<string, number> {
  const failures: Record<string, number> = {}
  for (const { name, servers } of operations) {
    for (const { server, failures: failed } of servers) {
      for (const [what, count] of Object.entries(failed)) failures[`${name}, ${server}: ${what}`] = count
    }
  }
  return failures
}
