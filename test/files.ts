import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sqlitePath } from '../src/db/open.ts'

/** Reads a SQLite file by itself, beside whatever else uses it. */
export function inFile<Result>(databaseUrl: string, look: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(sqlitePath(databaseUrl))
  try {
    return look(db)
  } finally {
    db.close()
  }
}

/** The admission numbers that a file holds. */
export function admissionNumbersIn(databaseUrl: string): Set<string> {
  return inFile(databaseUrl, (db) => {
    const rows = db.prepare('select admission_number as number from students').all() as { number: string }[]
    return new Set(rows.map(({ number }) => number))
  })
}

/** Makes a file look as if a later version had migrated it. */
export function makeNewer(databaseUrl: string): void {
  inFile(databaseUrl, (db) => db.exec("insert into schema_migrations values (99, 'later', 'x', 'x')"))
}

/** Overwrites the second half of a file, as a dying disk would; its first pages stay. */
export function damage(path: string): void {
  const { size } = statSync(path)
  const from = Math.floor(size / 8192) * 4096
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(size - from, 0xa5), 0, size - from, from)
  closeSync(file)
}

/** Overwrites one page with zeros, as a dying disk would. @returns what it held */
export function zeroPage(path: string, page: number): Buffer {
  const before = readFileSync(path).subarray((page - 1) * 4096, page * 4096)
  writePage(path, page, Buffer.alloc(4096))
  return before
}

export function writePage(path: string, page: number, content: Buffer): void {
  const file = openSync(path, 'r+')
  writeSync(file, content, 0, 4096, (page - 1) * 4096)
  closeSync(file)
}

/** Overwrites the first page of a table. The file is only read by SQLite for this. */
export function damageRootOf(path: string, table: string): number {
  const db = new DatabaseSync(path, { readOnly: true })
  const { rootpage } = db.prepare('select rootpage from sqlite_schema where name = ?').get(table) as {
    rootpage: number
  }
  db.close()
  zeroPage(path, rootpage)
  return rootpage
}

/** What tells whether a file is as it was. */
export function fingerprint(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
