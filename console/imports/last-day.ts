const undoableDays = 30

/** The last day on which an import that is applied then can be taken back. */
export function lastDay(from: string): string {
  const day = new Date(from)
  day.setUTCDate(day.getUTCDate() + undoableDays)
  return day.toISOString().slice(0, 10)
}
