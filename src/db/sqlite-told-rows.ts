import type { SQLInputValue } from 'node:sqlite'
import type { BoundStatement } from './sqlite-reader.ts'
import type { WriterStatement } from './sqlite-writing-thread.ts'

/** What a work is told a read gives, and the statement that checks it. */
interface Told {
  readonly rows: unknown[]
  readonly check: WriterStatement
}

const maxRemembered = 1_000

/**
 * What reads that are checked afterwards (`checkedAfterwards` in `statement-marks.ts`) gave the last time. It may be out of
 * date: then the check fails, all is forgotten, and the work that runs again is told what is read anew.
 */
export class ToldRows {
  readonly #read: (statement: BoundStatement) => unknown[]
  readonly #remembered = new Map<string, Told>()

  constructor(read: (statement: BoundStatement) => unknown[]) {
    this.#read = read
  }

  tell({ sql, parameters }: BoundStatement): Told {
    const name = [sql, ...parameters.map(textOf)].join()
    let told = this.#remembered.get(name)
    if (told === undefined) {
      const rows = this.#read({ sql, parameters })
      const expected = JSON.stringify(rows)
      told = { rows, check: { sql, parameters: parameters as readonly SQLInputValue[], expected } }
      if (this.#remembered.size >= maxRemembered) this.#remembered.clear()
      this.#remembered.set(name, told)
    }
    return told
  }

  readonly forget = (): void => this.#remembered.clear()
}

function textOf(parameter: unknown): unknown {
  return parameter instanceof Uint8Array
    ? Buffer.from(parameter.buffer, parameter.byteOffset, parameter.length).toString('latin1')
    : parameter
}
