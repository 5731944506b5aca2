import { statSync } from 'node:fs'
import { type FileIdentity, hasRoom, isGone } from './file-place.ts'
import { DatabaseStateError, databaseFaultOf, isDamage, isSqliteFileFault } from './violations.ts'

/** Where faults of a database are logged. */
type StateLog = Readonly<Record<'fatal' | 'error' | 'info', (line: string) => void>>

/** How often a file's place is checked, and how often a write is tried while writes fail, in milliseconds. */
interface StateTimes {
  readonly lookEveryMs?: number
  readonly tryEveryMs?: number
}

/** How long no further line is logged about a page that can't be read, in milliseconds. */
const saidForMs = 60 * 60_000

const whatToDo = 'stop the server and restore a backup: ./registrar.js restore FILE'

/**
 * Whether an open SQLite file can be read and written, and why not: damage, a file that is no longer in its place, a
 * full or failing disk. Each fault and its end are logged once.
 */
export class SqliteState {
  readonly path: string
  readonly file: FileIdentity
  readonly #damage: string | undefined
  readonly #lookEveryMs: number
  readonly #tryEveryMs: number
  #gone: string | undefined
  #failure: Error | undefined
  #damageSaidAt = Number.NEGATIVE_INFINITY
  #watching: NodeJS.Timeout | undefined
  #trying: NodeJS.Timeout | undefined
  #write: () => Promise<void> = async () => {}
  #log: StateLog | undefined
  #unsaid: (readonly [keyof StateLog, string])[] = []

  /** @param damage what is wrong with the file: then it is never written */
  constructor(path: string, damage?: string, { lookEveryMs = 2_000, tryEveryMs = 5_000 }: StateTimes = {}) {
    this.path = path
    this.file = statSync(path, { bigint: true })
    this.#damage = damage
    this.#lookEveryMs = lookEveryMs
    this.#tryEveryMs = tryEveryMs
    if (damage !== undefined)
      this.#say(
        'fatal',
        `The database ${path} is damaged (${damage}). It is read, and not written. To mend it, ${whatToDo}`,
      )
  }

  get isReadOnly(): boolean {
    return this.#damage !== undefined
  }

  /** Where lines go from now on, and those that had nowhere to go. */
  logTo(log: StateLog): void {
    this.#log = log
    for (const [level, line] of this.#unsaid.splice(0)) log[level](line)
  }

  /** @throws DatabaseStateError when no write may be tried */
  admitWrite(): void {
    if (this.#gone !== undefined) throw new DatabaseStateError('database_file_gone', `${this.#gone} is gone`)
    if (this.#damage !== undefined) throw new DatabaseStateError('database_damaged', this.#damage)
  }

  /** @throws DatabaseStateError unless the database can be read and written, as far as is known */
  check(): void {
    this.admitWrite()
    const failure = this.#failure
    if (failure === undefined) return
    throw new DatabaseStateError(databaseFaultOf(failure) ?? 'database_unavailable', failure.message)
  }

  /** Takes note of an error of any connection to the file. @returns the error to throw */
  readonly explain = (error: unknown): unknown => {
    if (!isDamage(error)) return error
    const { message } = error as Error
    const now = performance.now()
    if (now - this.#damageSaidAt > saidForMs) {
      this.#damageSaidAt = now
      const line = `A part of the database ${this.path} can't be read (${message}): what needs it is 503 database_damaged.`
      this.#say('error', `${line} Run ./registrar.js check. If it finds a fault, ${whatToDo}`)
    }
    return new DatabaseStateError('database_damaged', message, { cause: error })
  }

  /** @param write a tiny write, which is tried every few seconds after one has failed, until one succeeds */
  tryWith(write: () => Promise<void>): void {
    this.#write = write
  }

  /** Takes note of an error of the writing connection. @returns the error to throw */
  explainWrite(error: Error): unknown {
    if (isDamage(error) || !isSqliteFileFault(error)) return this.explain(error)
    this.noteFailedCommit(error)
    return new DatabaseStateError('database_unavailable', error.message, { cause: error })
  }

  /** Takes note of why no transaction could be begun or ended, if it is the file's or the disk's fault. */
  noteFailedCommit(error: unknown): void {
    if (!isSqliteFileFault((error as Error).cause ?? error)) return
    if (this.#failure === undefined) {
      this.#trying = setInterval(() => void this.#write().catch(() => {}), this.#tryEveryMs).unref()
      const line = `Nothing can be written to the database ${this.path}: ${(error as Error).message}.`
      this.#say('error', `${line} If the disk is full, make room. A write is tried every few seconds.`)
    }
    this.#failure = error as Error
  }

  /** Takes note that something was written. After a failure that is enough only where the disk has room. */
  async noteWritten(): Promise<void> {
    if (this.#failure === undefined || !(await hasRoom(this.path)) || this.#failure === undefined) return
    clearInterval(this.#trying)
    this.#failure = undefined
    this.#say('info', `The database ${this.path} can be written again`)
  }

  /**
   * Checks every few seconds whether the file and those that belong to it are still in their place. While they are
   * not, nothing is written, because it would be lost with the file.
   * @param besides other files that must stay as they are: whichever exists now
   */
  watch(besides: readonly string[]): void {
    const files = besides.flatMap((path) => {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false })
      return found === undefined ? [] : [{ path, file: found }]
    })
    const watched = [{ path: this.path, file: this.file }, ...files]
    let isLooking = false
    this.#watching = setInterval(async () => {
      if (isLooking) return
      isLooking = true
      const moved = await Promise.all(watched.map(({ path, file }) => isGone(path, file)))
      isLooking = false
      this.#noteGone(watched[moved.indexOf(true)]?.path)
    }, this.#lookEveryMs).unref()
  }

  #noteGone(gone: string | undefined): void {
    if (gone !== undefined && this.#gone === undefined)
      this.#say(
        'fatal',
        `The file ${gone} was removed, moved or replaced while the server uses it. Nothing is written, and what is read will be lost with this process. Put the file back where it was. If you can't, ${whatToDo}`,
      )
    if (gone === undefined && this.#gone !== undefined) this.#say('info', `The file ${this.#gone} is back`)
    this.#gone = gone
  }

  #say(level: keyof StateLog, line: string): void {
    if (this.#log === undefined) this.#unsaid.push([level, line])
    else this.#log[level](line)
  }

  close(): void {
    clearInterval(this.#watching)
    clearInterval(this.#trying)
  }
}
