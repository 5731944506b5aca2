import { sql } from 'kysely'
import type { Db, Instant } from '../db/tables.ts'
import { Problem } from '../problems.ts'
import type { Answer, ImportRow, ImportState, Settings } from './model.ts'

/** Further columns that a change of state sets. */
export type StateChange = Partial<
  Omit<ImportRow, 'id' | 'version' | 'state' | 'updated_at' | 'settings' | 'taken_back'>
> & {
  /** The answers; null: it was taken back. */
  readonly settings?: Readonly<Record<string, Answer | null>>
}

const asJson = ['facts', 'settings', 'questions', 'counts', 'failure', 'makes']

/**
 * Brings an import from one of these states into another, as its next version. It is held by nobody then, and its
 * progress begins anew. One that is emptied stays as it is.
 * @returns whether it was in one of them
 */
export async function moveTo(
  db: Db,
  id: number,
  from: readonly ImportState[],
  to: ImportState,
  now: Instant,
  change: StateChange = {},
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({
      ...columnsOf(change),
      state: to,
      ...{ leased_by: null, leased_until: null, tries: 0, done: 0, total: null, updated_at: now },
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .where('state', 'in', from)
    .where('emptied_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Notes what a step found, and leaves its state as it is. */
export async function note(db: Db, id: number, change: StateChange): Promise<void> {
  await db.updateTable('imports').set(columnsOf(change)).where('id', '=', id).execute()
}

function columnsOf(change: StateChange): Record<string, unknown> {
  const columns = Object.entries(change).map(([name, value]) => [
    name,
    asJson.includes(name) && value !== null ? JSON.stringify(value) : value,
  ])
  return Object.fromEntries(columns)
}

/** Answers as they are stored: with null for each that was taken back and not given again. */
export function withTakenBack(
  answers: Settings,
  keys: readonly string[],
): NonNullable<StateChange['settings']> {
  return { ...Object.fromEntries(keys.map((key) => [key, null])), ...answers }
}

/** What is refused in the state that an import is in. */
export function wrongState({ state }: Pick<ImportRow, 'state'>, what: string): Problem {
  return new Problem('import_state', `The import is ${words[state]}; it cannot be ${what} now.`)
}

const words: Readonly<Record<ImportState, string>> = {
  reading: 'being read',
  question: 'waiting for answers',
  planned: 'planned',
  applying: 'being applied',
  applied: 'applied',
  undoing: 'being undone',
  undone: 'undone',
  refused: 'refused',
  cancelled: 'cancelled',
  failed: 'failed',
}
