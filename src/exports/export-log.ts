import type { Db, Instant } from '../db/tables.ts'
import type { ChangedFields } from '../events/log.ts'
import { type Author, write } from '../events/write.ts'

/** How long the note of a change set is at the most. */
const longestNote = 200

/** Parameters that hold what was typed in: it may be the name of a child. That there was something is logged. */
const typedIn: readonly string[] = ['search', 'guardian', 'gender']

/** An export, as the log tells of it. */
export interface LoggedExport {
  readonly format: string
  readonly query: Readonly<Record<string, unknown>>
}

/** Logs that an export begins. @returns the id of its change set */
export async function logExport(db: Db, by: Author, made: LoggedExport, at: Instant): Promise<number> {
  return write(db, by, async (tx) => {
    const id = await tx.beginChangeSet({ kind: 'export', note: noteOf(made) }, at)
    const fields: ChangedFields = Object.fromEntries(
      asked(made).map(([name, value]) => [name, [null, value]]),
    )
    tx.record({ record: 'export', id, action: 'created', at, fields })
    return id
  })
}

/** Logs how many students stand in an export that has ended, or was cut. */
export async function logCount(
  db: Db,
  id: number,
  made: LoggedExport,
  ended: { readonly count: number; readonly isWhole: boolean },
): Promise<void> {
  await write(db, {}, (tx) =>
    tx
      .updateTable('change_sets')
      .set({ note: noteOf(made, ended) })
      .where('id', '=', id)
      .execute(),
  )
}

/** `812 students as csv: class_id=3,5, search`. It stays `students as csv, not finished` where the process is killed. */
function noteOf(made: LoggedExport, ended?: { readonly count: number; readonly isWhole: boolean }): string {
  const count = ended === undefined ? 'students' : `${ended.count} student${ended.count === 1 ? '' : 's'}`
  const cut = ended === undefined ? ', not finished' : ended.isWhole ? '' : ', cut short'
  const filter = asked(made).map(([name, value]) => (value === true ? name : `${name}=${value}`))
  const note = `${count} as ${made.format}${cut}${filter.length > 0 ? ': ' : ''}${filter.join(', ')}`
  return note.length > longestNote ? `${note.slice(0, longestNote - 1)}…` : note
}

function asked({ query }: LoggedExport): [string, unknown][] {
  return Object.entries(query).map(([name, value]) => [name, typedIn.includes(name) ? true : value])
}
