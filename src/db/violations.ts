import { ExplainedError } from '../problems.ts'

/** A unique index as both engines name it here: `table.column`. */
type UniqueColumn =
  | 'users.email'
  | 'students.admission_key'
  | 'classes.label_key'
  | 'fields.key'
  | 'fields.label_key'
  | 'named_lists.name_key'

/** The database could not be reached, or the connection to it was lost. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
}

/** PostgreSQL refuses the role, its password or the database; the message says what to do. */
export class LoginRefusedError extends ExplainedError {
  override readonly name = 'LoginRefusedError'
}

/** A statement took too long, and the database did not end it. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}

/** Why the database fails a request, as a problem's code. */
export type DatabaseFault = 'database_unavailable' | 'database_damaged' | 'database_file_gone'

/** The database refuses this in its present state, which is in the log. */
export class DatabaseStateError extends Error {
  override readonly name = 'DatabaseStateError'
  readonly fault: DatabaseFault
  constructor(fault: DatabaseFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/** An error that SQLite raised in a thread of its own, shaped like the ones it raises in this one. */
export class SqliteThreadError extends Error {
  override readonly name = 'SqliteThreadError'
  readonly errcode: number | undefined
  constructor(message: string, errcode: number | undefined) {
    super(message)
    this.errcode = errcode
  }
}

/** SQLite's extended result codes, https://www.sqlite.org/rescode.html. */
const sqliteUnique = 2067
const sqliteForeignKey = 787
/** SQLITE_BUSY_SNAPSHOT. */
const sqliteStaleRead = 517
/** Primary codes that mean "not now" or "not here": aborted, busy, locked, read-only, I/O, corrupt, full, can't open, not a database. */
const sqliteUnavailable = new Set([4, 5, 6, 8, 10, 11, 13, 14, 26])

/** Primary codes by which what is wrong with a file is told. */
const sqliteFaults = { busy: 5, corrupt: 11, 'not a database': 26 } as const
/** Extended codes of a page that can't be read, or is not as it was written: READ, SHORT_READ, DATA, CORRUPTFS. */
const sqliteUnreadable = new Set([266, 522, 8202, 8458])
/** Primary codes that come from the file or its disk, not from a statement: I/O, corrupt, full, can't open, not a database. */
const sqliteFile = new Set([10, 11, 13, 14, 26])

/** PostgreSQL's SQLSTATE codes, https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const pgUnique = '23505'
const pgForeignKey = '23503'
/** Serialization failure, deadlock: the same work may succeed when it is run again. */
const pgRetry = new Set(['40001', '40P01'])
/** Statement and lock timeouts. */
const pgTimeLimits = new Set(['57014', '55P03'])
/**
 * A server that was shut down or demoted, is starting or is full, or a plan from before a migration. Another
 * connection may succeed.
 */
const pgConnection = /^(08...|57P0[1-5]|25006|53300|0A000)$/
/** Statement and lock timeouts, and resources that ran out. */
const pgUnavailable = /^(08...|57...|25006|53...|55P03|58...|40001|40P01)$/
/** A table or an index is corrupted. */
const pgDamaged = /^XX00[12]$/

/** Errors of ours that mean: ask again later. */
const unavailable = [DatabaseUnavailableError, LoginRefusedError, TimeLimitError]

/** Whether a statement failed because another row has the same value in this column. */
export function violatesUnique(error: unknown, column: UniqueColumn): boolean {
  if (errcode(error) === sqliteUnique) return (error as Error).message.endsWith(column)
  const { table, constraint } = error as { table?: string; constraint?: string }
  return (
    sqlState(error) === pgUnique &&
    constraint === `${column.replace('.', '_')}_key` &&
    column.startsWith(`${table}.`)
  )
}

/** Whether a statement failed because it refers to a missing row, or removes a row that is referred to. */
export function violatesForeignKey(error: unknown): boolean {
  return errcode(error) === sqliteForeignKey || sqlState(error) === pgForeignKey
}

/** Whether SQLite failed for this reason, whatever its extended code adds to it. */
export function isSqliteFault(error: unknown, fault: keyof typeof sqliteFaults): boolean {
  return primaryCode(error) === sqliteFaults[fault]
}

/** Whether the same work may succeed when it is run again from its beginning. */
export function isWorthRetrying(error: unknown): boolean {
  return isStaleRead(error) || pgRetry.has(sqlState(error) ?? '')
}

/** Whether a work was told what is no longer so: see `checkedAfterwards` in `statement-marks.ts`. */
export function isStaleRead(error: unknown): boolean {
  return errcode(error) === sqliteStaleRead
}

/** Whether a table could not be created because another program created it at the same moment. */
export function isMadeMeanwhile(error: unknown): boolean {
  return [pgUnique, '42P07', '42710'].includes(sqlState(error) ?? '') || isWorthRetrying(error)
}

/** Whether the connection can't be used any more, and its last statement may not have arrived. */
export function isConnectionFault(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError || pgConnection.test(sqlState(error) ?? '')
}

/** Whether a statement was ended because it, or its wait for a lock, took too long. */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof TimeLimitError || pgTimeLimits.has(sqlState(error) ?? '')
}

/** Why the database failed a caller who did nothing wrong. @returns undefined for an error of another kind */
export function databaseFaultOf(error: unknown): DatabaseFault | undefined {
  if (error instanceof DatabaseStateError) return error.fault
  if (isDamage(error)) return 'database_damaged'
  const isUnavailable =
    unavailable.some((kind) => error instanceof kind) ||
    sqliteUnavailable.has(primaryCode(error)) ||
    pgUnavailable.test(sqlState(error) ?? '')
  return isUnavailable ? 'database_unavailable' : undefined
}

/** Whether a part of the database can't be read, or is not what was written there. */
export function isDamage(error: unknown): boolean {
  const isCorrupt = isSqliteFault(error, 'corrupt') || isSqliteFault(error, 'not a database')
  return isCorrupt || sqliteUnreadable.has(errcode(error) ?? 0) || pgDamaged.test(sqlState(error) ?? '')
}

/** Whether SQLite failed because of the file or its disk, whatever was asked of it. */
export function isSqliteFileFault(error: unknown): boolean {
  return sqliteFile.has(primaryCode(error))
}

/** Whether the database itself reported the error, and not the connection, or a database that starts or stops. */
export function isAnswer(error: unknown): boolean {
  return /^(?!08|57P)/.test(sqlState(error) ?? '08')
}

/** An error of `pg` that carries no SQLSTATE came from the connection, not from the database. */
export function asDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError || sqlState(error) !== undefined) return error
  return new DatabaseUnavailableError(error instanceof Error ? error.message : String(error), {
    cause: error,
  })
}

function errcode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined
}

/** The last byte of an extended result code; 0: it is no error of SQLite's. */
function primaryCode(error: unknown): number {
  return (errcode(error) ?? 0) & 0xff
}

/** The SQLSTATE of an error that PostgreSQL raised. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as object)
    ? code
    : undefined
}
