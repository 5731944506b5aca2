import type { PlannedRow } from '../../client/src/index.ts'
import type { ImportRecord } from './record.ts'
import type { Outcome } from './row-parts.tsx'
import { texts } from './texts.ts'

/** Where a row was left out: there one goes on once the file is planned anew. */
export interface Place {
  /** The rows of which outcome stood there; undefined: those that were found. */
  readonly outcome?: Outcome | undefined
  readonly page: number
  /** Which of the page's rows it was, from 0. */
  readonly at: number
}

interface LeaveOutProps {
  readonly record: ImportRecord
  readonly row: PlannedRow
  readonly place: Place
}

/** Leaves out a row that would be written. */
export function LeaveOut({ record, row, place }: LeaveOutProps) {
  if (row.outcome !== 'create' && row.outcome !== 'change') return null
  const { leaveOut } = texts().ofTwins
  const label = `${texts().rowOf(row.row ?? 0, row.sheet ?? '')}: ${leaveOut}`
  return (
    <button type="button" class="plain" aria-label={label} onClick={() => void record.leaveOut(row, place)}>
      {leaveOut}
    </button>
  )
}

/** Goes to the row at this place of a table, else to the last one, else to the table: to what one can do there. */
export function goOnAt(table: HTMLElement | null, at: number): void {
  const rows = table?.querySelectorAll('tbody tr') ?? []
  const row = rows[Math.min(at, rows.length - 1)]
  const next = row?.querySelector<HTMLElement>('button, a[href*="show="]') ?? table
  next?.focus()
}

/** What a table of rows needs so that one can leave some out. */
export const leavingIn = (record: ImportRecord) => ({
  button: (row: PlannedRow, place: Place) => <LeaveOut {...{ record, row, place }} />,
  takePlace: () => record.takeLeftAt(),
  goOnAt,
})

export type Leaving = ReturnType<typeof leavingIn>
