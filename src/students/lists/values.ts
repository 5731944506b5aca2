/** Collects the values of a statement, and gives what stands for them: `?1` on SQLite, `$1` on PostgreSQL. */
export class BoundValues {
  readonly #sign: '?' | '$'
  readonly all: (string | number)[] = []

  constructor(sign: '?' | '$') {
    this.#sign = sign
  }

  bind(value: string | number): string {
    return `${this.#sign}${this.all.push(value)}`
  }
}

/** Students as a JSON array in UTF-8, and how many there are in all at the same moment. */
export interface JsonPage {
  readonly json: Uint8Array
  readonly total: number
}

/** Which rows of a list. */
export interface Rows {
  readonly limit: number
  readonly offset: number
}

/** The limit stands in the statement: SQLite takes twice the time for one that is bound, and PostgreSQL plans anew. */
export function limited({ limit, offset }: Rows, values: BoundValues): string {
  return offset === 0 ? `limit ${limit}` : `limit ${limit} offset ${values.bind(offset)}`
}
