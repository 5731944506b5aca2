import { sql } from 'kysely'
import { lockRow } from '../db/row-locks.ts'
import type { Db, Instant } from '../db/tables.ts'
import type { Author } from '../events/write.ts'
import { Problem } from '../problems.ts'
import type { ImportRow, ImportState } from './model.ts'

/** Why an import cannot go on, and undoes itself. */
export class ImportEnds extends Error {
  readonly code: string

  constructor(code: string, detail: string) {
    super(detail)
    this.code = code
  }
}

/** In whose name the steps of an import write. */
export function authorOf(
  imported: Pick<ImportRow, 'planned_for' | 'user_id' | 'command' | 'address' | 'request_id'>,
): Author {
  const { address, request_id: requestId, command } = imported
  const userId = holderOf(imported)
  return {
    ...(userId !== undefined && { userId }),
    ...(userId === undefined && command !== null && { command }),
    ...(address !== null && { address }),
    ...(requestId !== null && { requestId }),
  }
}

/** Whose authority an import has: an account's; undefined: a command's, which may do all. */
export function holderOf({
  planned_for,
  user_id,
  command,
}: Pick<ImportRow, 'planned_for' | 'user_id' | 'command'>) {
  return planned_for ?? (command === null ? user_id : null) ?? undefined
}

/** Columns of an import that change with its state. */
interface Changed {
  readonly failure?: string
  readonly planned_for?: number | null
  readonly command?: string
  readonly address?: string | null
  readonly request_id?: string | null
  readonly total?: number
}

/** Brings an import from one state to another, as its next version. @returns whether it was at that state */
export async function moveOn(
  db: Db,
  { id, version }: { readonly id: number; readonly version?: number },
  [from, to]: readonly [ImportState, ImportState],
  now: Instant,
  changed: Changed = {},
): Promise<boolean> {
  const update = db
    .updateTable('imports')
    .set({ ...changed, state: to, done: 0, updated_at: now, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .where('state', '=', from)
  const result = await (version === undefined
    ? update
    : update.where('version', '=', version)
  ).executeTakeFirstOrThrow()
  return result.numUpdatedRows === 1n
}

/** Lets nobody else work on an import until the write ends. @returns whether it is at this state */
export async function holdAt(db: Db, id: number, state: ImportState): Promise<boolean> {
  await lockRow(db, 'imports', id)
  const found = await db.selectFrom('imports').select('state').where('id', '=', id).executeTakeFirst()
  return found?.state === state
}

/** Something that is not possible as the import stands. */
export function importState(detail: string): Problem {
  return new Problem('import_state', detail)
}
