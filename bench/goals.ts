/** What a figure should come to: at least so much where more is better, at most where less is. */
export interface Goal {
  readonly figure: GoalFigure
  readonly limit: number
  /** The size that the goal is set for, where it is not every size. */
  readonly students?: number
}

export type GoalFigure = keyof typeof figures

/** How a goal reads, and whether more is better. */
const figures = {
  ofBare: { title: 'of bare', unit: '', moreIsBetter: true },
  ofSqlite: { title: "of SQLite's p50", unit: ' times', moreIsBetter: false },
  p50: { title: 'p50', unit: ' ms', moreIsBetter: false },
  p99: { title: 'p99', unit: ' ms', moreIsBetter: false },
  startMs: { title: 'start', unit: ' ms', moreIsBetter: false },
  idleMb: { title: 'idle', unit: ' MB', moreIsBetter: false },
  peakMb: { title: 'peak', unit: ' MB', moreIsBetter: false },
  ofPlain: { title: 'of the plain table', unit: '', moreIsBetter: false },
  growth: { title: 'CPU', unit: ' times', moreIsBetter: false },
} as const

/** "At this size": it is smaller than the one that the goal is set for. */
export type Verdict = 'met' | 'met at this size' | 'missed' | 'missed at this size' | 'n/a'

export function isMissed(verdict: Verdict): boolean {
  return verdict.startsWith('missed')
}

const platformGoals: readonly Goal[] = [
  { figure: 'startMs', limit: 500 },
  { figure: 'idleMb', limit: 150 },
  { figure: 'peakMb', limit: 250 },
]

/** What is promised of the platform as a whole, on each engine. */
export const goalsOfPlatform = {
  SQLite: [...platformGoals, { figure: 'ofPlain', limit: 2.2, students: 1_000_000 }],
  PostgreSQL: platformGoals,
} as const satisfies Record<string, readonly Goal[]>

/** How much longer PostgreSQL may take, for what is asked most. */
export const goalOfPostgres: Goal = { figure: 'ofSqlite', limit: 5, students: 1_000_000 }

/** How much more CPU a read may take with a million students or more than with a thousand. */
export const growthGoal: Goal = { figure: 'growth', limit: 1.2 }

/** Judges a figure that was measured with so many students. */
export function judge(
  { figure, limit, students = 0 }: Goal,
  value: number | null,
  measuredAt: number,
): Verdict {
  if (value === null) return 'n/a'
  const isMet = figures[figure].moreIsBetter ? value >= limit : value <= limit
  const verdict = isMet ? 'met' : 'missed'
  return measuredAt < students ? `${verdict} at this size` : verdict
}

/** The goal in words: `p50 ≤ 15 ms at 1 000 000`. */
export function describeGoal({ figure, limit, students }: Goal): string {
  const { title, unit, moreIsBetter } = figures[figure]
  const at = students === undefined ? '' : ` at ${students.toLocaleString('en').replaceAll(',', ' ')}`
  return `${title} ${moreIsBetter ? '≥' : '≤'} ${limit}${unit}${at}`
}
