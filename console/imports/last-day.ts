import { today } from '../language/zones.ts'

/** How long an import can be taken back, in days. A test holds it to what the server does. */
export const undoableDays = 30

/** Until when an import that was applied then can be taken back. */
export const lastMoment = (applied: string) => new Date(Date.parse(applied) + undoableDays * 86_400_000)

/** The day of that moment in the school's time zone, as YYYY-MM-DD. */
export const lastDay = (applied: string, timeZone = 'UTC') => today(timeZone, lastMoment(applied))
