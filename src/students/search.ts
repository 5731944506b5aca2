import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { engineOf } from '../db/engine.ts'
import type { Db, Tables } from '../db/tables.ts'

/** The ids of the students whose text holds all patterns, by the index that the engine has for substrings. */
export function matchingIds(
  db: Db,
  patterns: readonly RawBuilder<string>[],
): SelectQueryBuilder<Tables, 'students' | 'student_search', { id: number }> {
  if (engineOf(db) === 'sqlite') {
    const match = sql<boolean>`student_search match ${sql.join(patterns, sql` || ' ' || `)}`
    return db.selectFrom('student_search').select('student_search.rowid as id').where(match) as never
  }
  let students = db.selectFrom('students').select('students.id')
  for (const pattern of patterns) students = students.where('search_text', 'like', pattern)
  return students as never
}

/** A pattern as the engine's condition takes it: an FTS5 string, or one for LIKE. */
export function enginePattern(db: Db, pattern: string): string {
  if (engineOf(db) === 'sqlite') return `"${pattern.replaceAll('"', '""')}"`
  return `%${pattern.replace(/[\\%_]/g, '\\$&')}%`
}
