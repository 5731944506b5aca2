import type { Engine, Migration } from './index.ts'
import { wordsOf } from './words.ts'

/** Which pairs of account and client have logged in, and which accounts were never granted anything or are unused. */
export const accounts: Migration = {
  id: 6,
  name: 'accounts',
  statements: { sqlite: statementsOf('sqlite'), postgres: statementsOf('postgres') },
}

function statementsOf(engine: Engine): string[] {
  const { integer, bytes, instant, now, endKeyed } = wordsOf(engine)
  return [
    `create table login_pairs (
      hash ${bytes} primary key,
      user_id ${integer} not null references users (id),
      used_at ${instant} not null
    ${endKeyed}`,
    'create index login_pairs_user on login_pairs (user_id, used_at)',
    'create index login_pairs_age on login_pairs (used_at)',

    `alter table users add column granted_at ${instant}`,
    `alter table users add column idle_since ${instant}`,
    // A role that was taken away again left no row; since 0.4.0 it counted a version.
    `update users set idle_since = ${now}, granted_at = coalesce(
      (select min(user_roles.granted_at) from user_roles where user_roles.user_id = users.id),
      case when version > 1 or updated_at <> created_at then updated_at end)`,
    'create index users_never_granted on users (idle_since) where granted_at is null',
  ]
}
