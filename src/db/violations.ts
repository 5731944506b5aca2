/** A unique index as both engines name it here: `table.column`. */
export type UniqueColumn = 'users.email' | 'students.admission_key' | 'classes.label_key'

/** SQLite's extended result codes, https://www.sqlite.org/rescode.html. */
const sqliteUnique = 2067
const sqliteForeignKey = 787
/** Primary codes that mean "not now" or "not here": busy, locked, read-only, I/O, corrupt, full, can't open, not a database. */
const sqliteUnavailable = new Set([5, 6, 8, 10, 11, 13, 14, 26])

/** Whether a statement failed since another row has the same value in this column. */
export function violatesUnique(error: unknown, column: UniqueColumn): boolean {
  return errcode(error) === sqliteUnique && (error as Error).message.endsWith(column)
}

/** Whether a statement failed since it refers to a row that isn't there, or removes one that is referred to. */
export function violatesForeignKey(error: unknown): boolean {
  return errcode(error) === sqliteForeignKey
}

/** Whether the database could not serve at all: the caller may try again. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = errcode(error)
  return code === undefined
    ? error instanceof Error && error.name === 'SqliteWriteError'
    : sqliteUnavailable.has(code & 0xff)
}

function errcode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined
}
