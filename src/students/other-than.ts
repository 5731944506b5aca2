import type { Authority } from '../access/authority.ts'
import { isInScope } from '../access/scope.ts'
import { shareRows } from '../db/row-locks.ts'
import type { Db } from '../db/tables.ts'
import { invalidField } from '../problems.ts'

/* `other_than`: students who are known to be other children than the new one. */

/** How many there may be. */
export const maxOthers = 20

/** The ids of the parameter. @throws Problem validation_failed */
function readIds(text = ''): number[] {
  if (text === '') return []
  const ids = text.split(',').map((id) => (/^[1-9]\d{0,15}$/.test(id) ? Number(id) : Number.NaN))
  if (ids.length <= maxOthers && ids.every(Number.isSafeInteger)) return [...new Set(ids)]
  const detail = `must be ids of students with commas between, at most ${maxOthers}`
  throw invalidField('/other_than', { code: 'invalid', detail })
}

/**
 * The students of the parameter. They stay until the write ends.
 * @throws Problem validation_failed where the caller may not see one of them, exactly as when there is none
 */
export async function othersOf(db: Db, authority: Authority, text: string | undefined): Promise<number[]> {
  const ids = readIds(text)
  if (ids.length === 0) return ids
  await shareRows(db, 'students', ids)
  const scope = authority.scopeOf('students.view')
  const rows = await db.selectFrom('students').select('class_id').where('id', 'in', ids).execute()
  const seen = rows.filter(({ class_id }) => isInScope(scope, class_id))
  if (seen.length === ids.length) return ids
  const detail = 'must be ids of students whom you may see'
  throw invalidField('/other_than', { code: 'unknown_student', detail })
}
