import type { Migration } from './index.ts'

const statements = [
  // Finds an account's living sessions, and the first of them to expire, without those that have.
  'create index sessions_of_user on sessions (user_id, expires_at)',
  'drop index sessions_user',
]

/** An account's sessions are found by when they expire: no more of them are read than an account may have. */
export const sessions: Migration = {
  id: 7,
  name: 'sessions',
  statements: { sqlite: statements, postgres: statements },
}
