import type { Db } from '../../db/tables.ts'
import type { ImportRow } from '../model.ts'
import { importedBefore, type Warning } from '../questions/warnings.ts'

/** Warns where the same bytes were applied before, by whomever, and not taken back: an old file undoes what came since. */
export async function warnOfSameFile(
  db: Db,
  { id, kind }: Pick<ImportRow, 'id' | 'kind'>,
): Promise<Warning[]> {
  const hash = db.selectFrom('imports').select('file_hash').where('id', '=', id)
  const before = await db
    .selectFrom('imports')
    .select('id')
    .where('kind', '=', kind)
    .where('state', '=', 'applied')
    .where('change_set_id', 'is not', null)
    .where('file_hash', '=', hash)
    .orderBy('change_set_id', 'desc')
    .executeTakeFirst()
  return before === undefined ? [] : [importedBefore(before.id)]
}
