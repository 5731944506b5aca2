import type { Author } from '../events/write.ts'
import type { ImportRow } from './model.ts'

/** What tells in whose name an import is planned, applied or undone. */
type Acting = Pick<ImportRow, 'planned_for' | 'command' | 'address' | 'request_id'>

/** The account whose authority an import has; undefined: it has that of a command, which may do all. */
export function accountOf({ planned_for }: Pick<Acting, 'planned_for'>) {
  return planned_for ?? undefined
}

/** In whose name the steps of an import write. */
export function authorOf(imported: Acting): Author {
  const { address, request_id: requestId, command } = imported
  const userId = accountOf(imported)
  return {
    ...(userId !== undefined && { userId }),
    ...(userId === undefined && command !== null && { command }),
    ...(address !== null && { address }),
    ...(requestId !== null && { requestId }),
  }
}

/** The columns of an import that say whose request, or which command, has its rows planned, applied or undone. */
export function columnsOfAuthor({ userId, command, address, requestId }: Author) {
  return {
    planned_for: userId ?? null,
    ...(command !== undefined && { command }),
    address: address ?? null,
    request_id: requestId ?? null,
  }
}
