import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../db/engine.ts'
import type { Db } from '../db/tables.ts'

/**
 * Names `matches`, the ids of the students whose text holds all patterns, by the index that the engine has
 * for substrings. PostgreSQL finds them once, and by no other index, whatever the words; for SQLite it is
 * cheaper to look twice than to keep them.
 */
export function withMatches(db: Db, patterns: readonly RawBuilder<string>[]) {
  return db.with(
    (cte) => (engineOf(db) === 'sqlite' ? cte('matches').notMaterialized() : cte('matches').materialized()),
    () => matchingIds(db, patterns),
  )
}

function matchingIds(db: Db, patterns: readonly RawBuilder<string>[]) {
  if (engineOf(db) === 'sqlite') {
    const match = sql<boolean>`student_search match ${sql.join(patterns, sql` || ' ' || `)}`
    return db.selectFrom('student_search').select('student_search.rowid as id').where(match)
  }
  let students = idsOnly(db)
  for (const pattern of patterns) students = students.where('search_text', 'like', pattern)
  return students
}

function idsOnly(db: Db) {
  return db.selectFrom('students').select('students.id')
}

/** A pattern as the engine's condition takes it: an FTS5 string, or one for LIKE. */
export function enginePattern(db: Db, pattern: string): string {
  if (engineOf(db) === 'sqlite') return `"${pattern.replaceAll('"', '""')}"`
  return `%${pattern.replace(/[\\%_]/g, '\\$&')}%`
}

/** How many students there are: PostgreSQL keeps the number in parts, SQLite counts as fast. */
export function totalOfStudents(db: Db) {
  if (engineOf(db) === 'sqlite') {
    return db.selectFrom('students').select((q) => q.fn.countAll<number>().as('total'))
  }
  return db.selectFrom('student_counts').select(sql<number>`sum(students)::bigint`.as('total'))
}
