import type { FileIdentity } from './file-place.ts'
import { type BoundStatement, SqliteReader } from './sqlite-reader.ts'

/* Imported by threads: it loads little. */

/** The file that a thread can read; undefined: there is none, and it is sent the rows. */
export type ReadingPlace = { readonly path: string; readonly file: FileIdentity | undefined } | undefined

/** A read to be made, or what it gave. */
export type PortableRead<Row> = { readonly statement: BoundStatement } | { readonly rows: readonly Row[] }

/** How much of the file is kept, in KiB: what is read once, in order, is not read again. */
const cacheKib = 500

/** Makes such reads, in the thread; each has a snapshot of its own. */
export class PortableReader {
  readonly #reader: SqliteReader | undefined

  constructor(place: ReadingPlace) {
    if (place !== undefined) this.#reader = new SqliteReader(place.path, place.file, cacheKib)
  }

  rows<Row>(read: PortableRead<Row>): readonly Row[] {
    if ('rows' in read) return read.rows
    try {
      return this.#reader!.all(read.statement) as Row[]
    } finally {
      this.#reader!.endSnapshot()
    }
  }

  close(): void {
    this.#reader?.close()
  }
}
