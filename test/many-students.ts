import { sql } from 'kysely'
import { searchText } from '../src/db/migrations/search-text-of-0003.ts'
import type { Db } from '../src/db/tables.ts'
import { write } from '../src/events/write.ts'
import { postgresDerived, sqliteDerived } from '../src/students/lists/derived.ts'
import { engine } from './engine.ts'
import { byTest } from './school.ts'

const batchSize = 500

/** A student's row, as the server writes it on an engine. */
export function studentRow(name: string, admission_number: string, on: 'sqlite' | 'postgres' = engine) {
  const now = '2026-09-01T08:00:00.000Z'
  return {
    name,
    admission_number,
    class_id: 1,
    ...(on === 'postgres' ? postgresDerived : sqliteDerived)({ name, admission_number }),
    created_at: now,
    updated_at: now,
  }
}

/** A student of a database that is to be migrated. */
export interface OldStudent {
  readonly name: string
  readonly preferred_name?: string
  readonly number: string
  /** Milliseconds after the first. */
  readonly created?: number
}

/** The key of a number or a label, as the versions before migration 9 made it. */
export function oldKey(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}

/** A name as those versions folded it. */
export function oldFold(name: string): string {
  const word = (given: string) => searchText(given).split('  ')[1] ?? ''
  return name.replace(/[^\s¨]+/gu, word).replace(/[¨\u00a0]/g, ' ')
}

/** A row as the versions before migration 4 wrote it. */
export function oldStudentRow({ name, preferred_name, number, created = 0 }: OldStudent) {
  const now = new Date(Date.UTC(2026, 8, 1) + created).toISOString()
  return {
    name,
    admission_number: number,
    admission_key: oldKey(number),
    class_id: 1,
    folded_name: oldFold(name),
    search_text: searchText(name, preferred_name ?? '', number),
    ...(preferred_name !== undefined && { preferred_name }),
    created_at: now,
    updated_at: now,
  }
}

/** Stores many students by SQL, in one transaction and in order; their admission numbers are made up, from `first` on. */
export async function insertStudents(db: Db, names: readonly string[], first = 1): Promise<void> {
  const rows = names.map((name, i) => studentRow(name, `${first + i}`))
  await write(db, byTest, async (db) => {
    for (let i = 0; i < rows.length; i += batchSize) {
      const batch = rows.slice(i, i + batchSize)
      await db.insertInto('students').values(batch).execute()
    }
  })
}

/**
 * Throws unless SQLite's search index answers for exactly the students there are, by its own account. It asks in a
 * turn of its own among those who write: the server merges parts of the index when it likes.
 */
export async function checkSearchIndex(db: Db): Promise<void> {
  await write(db, byTest, (db) =>
    sql`insert into student_search (student_search, rank) values ('integrity-check', 1)`.execute(db),
  )
}
