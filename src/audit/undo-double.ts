import { Problem } from '../problems.ts'
import { settleDouble } from '../students/doubles/settling.ts'
import { isSettled, settlePair } from '../students/settled-pairs.ts'
import { type EventUndone, notFound, type Undoing, type UndoneEvent } from './undoing.ts'

/**
 * Undoes that a pair of students was settled, or that this was forgotten. What was said with the creation of one of the
 * two goes and comes back with that student.
 * @throws Problem change_set_not_found or permission_denied
 */
export async function undoDoubleEvent(undoing: Undoing, event: UndoneEvent): Promise<EventUndone> {
  const { tx, authority, by, now } = undoing
  const { id, action, fields } = event
  const other = otherOf(event)
  const at = now.toISOString()
  const isDifferent = action === 'removed'
  if (event.withStudents.length > 0) {
    if (!isDifferent) return {}
    const there = await tx.selectFrom('students').select('id').where('id', 'in', [id, other]).execute()
    if (there.length < 2) return { kept: Object.keys(fields) }
    await settlePair(tx, id, other, by, at)
    return { undone: Object.keys(fields) }
  }
  const isSoAlready = (await isSettled(tx, id, other)) === isDifferent
  try {
    await settleDouble(tx, authority, [id, other], { isDifferent, by, now: at })
  } catch (error) {
    throw error instanceof Problem && error.code === 'student_not_found' ? notFound() : error
  }
  return isSoAlready ? { kept: Object.keys(fields) } : { undone: Object.keys(fields) }
}

/** The other student of a pair: the one with the higher id. */
export function otherOf({ fields }: Pick<UndoneEvent, 'fields'>): number {
  const [from, to] = fields.other!
  return Number(from ?? to)
}
