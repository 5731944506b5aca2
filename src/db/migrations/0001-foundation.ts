import type { Engine, Migration } from './index.ts'
import { wordsOf } from './words.ts'

const builtInRoles = {
  administrator: ['students.view', 'students.create'],
  registrar: ['students.view', 'students.create'],
  viewer: ['students.view'],
}

/** Accounts, roles, sessions, classes and students, with what a fresh platform holds. */
export const foundation: Migration = {
  id: 1,
  name: 'foundation',
  statements: { sqlite: statementsOf('sqlite'), postgres: statementsOf('postgres') },
}

function statementsOf(engine: Engine): string[] {
  return [...tables(engine), ...content(engine), ...searchIndex(engine), ...counter(engine)]
}

function tables(engine: Engine): string[] {
  const { id, integer, real, bytes, instant, record, end, endKeyed } = wordsOf(engine)
  return [
    `create table platform (id ${integer} primary key check (id = 1), administrator_since ${instant}${end}`,

    `create table users (
      id ${id},
      name text not null,
      email text not null unique,
      password_hash text not null,
      disabled_at ${instant},
      ${record}
    ${end}`,

    `create table roles (
      id ${id},
      name text not null unique,
      built_in ${integer} not null default 0,
      ${record}
    ${end}`,
    `create table role_permissions (
      role_id ${integer} not null references roles (id),
      permission text not null,
      primary key (role_id, permission)
    ${endKeyed}`,
    `create table user_roles (
      user_id ${integer} not null references users (id),
      role_id ${integer} not null references roles (id),
      granted_at ${instant} not null,
      primary key (user_id, role_id)
    ${endKeyed}`,
    'create index user_roles_role on user_roles (role_id)',

    `create table sessions (
      key ${bytes} primary key,
      user_id ${integer} not null references users (id),
      created_at ${instant} not null,
      expires_at ${instant} not null
    ${endKeyed}`,
    'create index sessions_user on sessions (user_id)',
    'create index sessions_expiry on sessions (expires_at)',

    `create table signing_keys (kid text primary key, secret ${bytes} not null, created_at ${instant} not null${end}`,

    `create table throttles (
      key text primary key,
      level ${real} not null,
      blocked_until ${instant} not null,
      updated_at ${instant} not null
    ${endKeyed}`,
    'create index throttles_age on throttles (updated_at)',

    `create table classes (
      id ${id},
      label text not null,
      label_key text not null unique,
      ${record}
    ${end}`,

    `create table students (
      id ${id},
      name text not null,
      admission_number text not null,
      admission_key text not null unique,
      class_id ${integer} not null references classes (id),
      folded_name text not null,
      search_text text not null,
      ${record}
    ${end}`,
    'create index students_class on students (class_id)',
  ]
}

function content(engine: Engine): string[] {
  const { now } = wordsOf(engine)
  const labels = Array.from({ length: 12 }, (_, i) => `Class ${i + 1}`)
  return [
    'insert into platform (id) values (1)',
    ...Object.entries(builtInRoles).flatMap(([role, permissions]) => [
      `insert into roles (name, built_in, created_at, updated_at) values ('${role}', 1, ${now}, ${now})`,
      ...permissions.map(
        (permission) =>
          `insert into role_permissions (role_id, permission) select id, '${permission}' from roles where name = '${role}'`,
      ),
    ]),
    ...labels.map(
      (label) =>
        `insert into classes (label, label_key, created_at, updated_at) values ('${label}', '${label.toLowerCase()}', ${now}, ${now})`,
    ),
  ]
}

/** What finds substrings of `students.search_text`. */
function searchIndex(engine: Engine): string[] {
  if (engine === 'postgres') {
    // Where the extension can't be had, searches scan: slower, and the same answers.
    return [
      `do $$ begin
      create extension if not exists pg_trgm;
      create index students_search on students using gin (search_text gin_trgm_ops);
    exception when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
      raise notice 'pg_trgm is not available';
    end $$`,
    ]
  }
  return [
    `create virtual table student_search using fts5 (
      search_text, content = 'students', content_rowid = 'id',
      tokenize = 'trigram case_sensitive 1', columnsize = 0
    )`,
    `create trigger student_search_insert after insert on students begin
      insert into student_search (rowid, search_text) values (new.id, new.search_text);
    end`,
    `create trigger student_search_update after update of search_text on students begin
      insert into student_search (student_search, rowid, search_text) values ('delete', old.id, old.search_text);
      insert into student_search (rowid, search_text) values (new.id, new.search_text);
    end`,
    `create trigger student_search_delete after delete on students begin
      insert into student_search (student_search, rowid, search_text) values ('delete', old.id, old.search_text);
    end`,
  ]
}

/**
 * How many students there are, on PostgreSQL, where counting reads them all. A transaction counts in the row
 * that its connection's process has, so that two seldom wait for one another and never for two rows; the sum is exact
 * in every snapshot.
 */
function counter(engine: Engine): string[] {
  if (engine === 'sqlite') return []
  return [
    'create table student_counts (slot integer primary key, students bigint not null) with (fillfactor = 50)',
    'insert into student_counts (slot, students) select slot, 0 from generate_series(0, 63) as slot',
    `create function count_students() returns trigger language plpgsql as $$ begin
    update student_counts
    set students = students + (case when tg_op = 'INSERT' then 1 else -1 end) * (select count(*) from changed)
    where slot = pg_backend_pid() % 64;
    return null;
  end $$`,
    `create trigger count_inserted after insert on students
    referencing new table as changed for each statement execute function count_students()`,
    `create trigger count_deleted after delete on students
    referencing old table as changed for each statement execute function count_students()`,
  ]
}
