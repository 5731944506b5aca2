import type { Db } from '../../db/tables.ts'
import type { ImportRow } from '../model.ts'
import { importedBefore, type Warning } from '../questions/warnings.ts'

/**
 * Warns where the same person, or a command, had the same bytes applied, and not taken back: an old file undoes what
 * came since. Whoever sees this import sees that one too.
 */
export async function warnOfSameFile(
  db: Db,
  { id, kind, user_id: maker }: Pick<ImportRow, 'id' | 'kind' | 'user_id'>,
): Promise<Warning[]> {
  const hash = db.selectFrom('imports').select('file_hash').where('id', '=', id)
  const before = await db
    .selectFrom('imports')
    .select('id')
    .where('user_id', maker === null ? 'is' : '=', maker)
    .where('kind', '=', kind)
    .where('state', '=', 'applied')
    .where('change_set_id', 'is not', null)
    .where('file_hash', '=', hash)
    .orderBy('change_set_id', 'desc')
    .executeTakeFirst()
  return before === undefined ? [] : [importedBefore(before.id)]
}
