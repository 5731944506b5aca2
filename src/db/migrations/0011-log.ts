import type { Engine, Migration } from './index.ts'
import { wordsOf } from './words.ts'

/** What the built-in roles hold from now on, besides what they held. */
const builtInRoles = {
  administrator: ['lists.manage', 'fields.manage', 'school.manage', 'audit.view'],
  registrar: ['lists.manage'],
}

/** The log of changes. An event is told apart by its change set and its place there. */
export const log: Migration = {
  id: 11,
  name: 'log',
  statements: { sqlite: statementsOf('sqlite'), postgres: statementsOf('postgres') },
}

function statementsOf(engine: Engine): string[] {
  const { id, integer, instant, end, endKeyed } = wordsOf(engine)
  return [
    `create table change_sets (
      id ${id},
      kind text not null,
      user_id ${integer},
      command text,
      address text,
      request_id text,
      made_at ${instant} not null,
      note text,
      undoes ${integer},
      undone_by ${integer}
    ${end}`,
    'create index change_sets_user on change_sets (user_id, id)',
    `create table events (
      change_set_id ${integer} not null references change_sets (id),
      place ${integer} not null,
      record text not null,
      record_id ${integer} not null,
      action text not null,
      belongs_to ${integer},
      fields text not null,
      primary key (change_set_id, place)
    ${endKeyed}`,
    'create index events_record on events (record_id, record, change_set_id, place)',
    // Values that only some may see stand apart, so that they can be erased by themselves.
    `create table event_secrets (
      change_set_id ${integer} not null,
      place ${integer} not null,
      fields text not null,
      primary key (change_set_id, place),
      foreign key (change_set_id, place) references events (change_set_id, place)
    ${endKeyed}`,
    ...Object.entries(builtInRoles).flatMap(([role, permissions]) =>
      permissions.map(
        (permission) =>
          `insert into role_permissions (role_id, permission) select id, '${permission}' from roles where name = '${role}' and built_in = 1`,
      ),
    ),
  ]
}
