import type { Authority } from '../../access/authority.ts'
import { permissionDenied } from '../../access/denials.ts'
import { isInScope } from '../../access/scope.ts'
import { shareRows } from '../../db/row-locks.ts'
import type { Instant } from '../../db/tables.ts'
import type { Tx } from '../../events/log.ts'
import { invalidField } from '../../problems.ts'
import { studentNotFound } from '../queries.ts'
import { forgetPair, settlePair } from '../settled-pairs.ts'

/** What is said of two students, by whom and when. */
interface Saying {
  readonly isDifferent: boolean
  /** The account; null: a command. */
  readonly by: number | null
  readonly now: Instant
}

/**
 * Remembers that two students are two children, or forgets it.
 * @throws Problem student_not_found or permission_denied, or validation_failed when both are one student
 */
export async function settleDouble(
  tx: Tx,
  authority: Authority,
  [id, other]: readonly [id: number, other: number],
  { isDifferent, by, now }: Saying,
): Promise<void> {
  await requireBoth(tx, authority, [...new Set([id, other])])
  if (id === other)
    throw invalidField('/other', { code: 'invalid', detail: 'must be the id of another student' })
  if (isDifferent) await settlePair(tx, id, other, by, now)
  else await forgetPair(tx, id, other, now)
}

/**
 * Both stay until the write ends.
 * @throws Problem student_not_found, or permission_denied for one whom the caller may see and not change
 */
async function requireBoth(tx: Tx, authority: Authority, ids: readonly number[]): Promise<void> {
  await shareRows(tx, 'students', ids)
  const rows = await tx.selectFrom('students').select(['id', 'class_id']).where('id', 'in', ids).execute()
  const refused = rows.filter(({ class_id }) => !isInScope(authority.require('students.update'), class_id))
  const unseen = refused.filter(({ class_id }) => !isInScope(authority.scopeOf('students.view'), class_id))
  if (rows.length < ids.length || unseen.length > 0) throw studentNotFound()
  if (refused.length > 0) throw permissionDenied('students.update')
}
