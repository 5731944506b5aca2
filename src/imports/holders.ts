import type { Author } from '../events/write.ts'
import type { ImportRow } from './model.ts'

/** What tells who applies or undoes an import. */
type Held = Pick<ImportRow, 'planned_for' | 'user_id' | 'command' | 'address' | 'request_id'>

/** Whose authority an import has: an account's; undefined: a command's, which may do all. */
export function holderOf({ planned_for, user_id, command }: Omit<Held, 'address' | 'request_id'>) {
  return planned_for ?? (command === null ? user_id : null) ?? undefined
}

/** In whose name the steps of an import write. */
export function authorOf(imported: Held): Author {
  const { address, request_id: requestId, command } = imported
  const userId = holderOf(imported)
  return {
    ...(userId !== undefined && { userId }),
    ...(userId === undefined && command !== null && { command }),
    ...(address !== null && { address }),
    ...(requestId !== null && { requestId }),
  }
}

/** What an import keeps of the request, or the command, that has its rows planned, applied or undone. */
export function heldBy({ userId, command, address, requestId }: Author<unknown>) {
  return {
    planned_for: userId ?? null,
    ...(command !== undefined && { command }),
    address: address ?? null,
    request_id: requestId ?? null,
  }
}
