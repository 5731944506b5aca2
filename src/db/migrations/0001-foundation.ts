import type { Migration } from './index.ts'

const record = `
  version integer not null default 1,
  created_at text not null,
  updated_at text not null`

const now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"

const builtInRoles = {
  administrator: ['students.view', 'students.create'],
  registrar: ['students.view', 'students.create'],
  viewer: ['students.view'],
}

const classLabels = Array.from({ length: 12 }, (_, i) => `Class ${i + 1}`)

/** Accounts, roles, sessions, classes and students, with what a fresh platform holds. */
export const foundation: Migration = {
  id: 1,
  name: 'foundation',
  statements: [
    'create table platform (id integer primary key check (id = 1), administrator_since text) strict',
    'insert into platform (id) values (1)',

    `create table users (
      id integer primary key autoincrement,
      name text not null,
      email text not null unique,
      password_hash text not null,
      disabled_at text,${record}
    ) strict`,

    `create table roles (
      id integer primary key autoincrement,
      name text not null unique,
      built_in integer not null default 0,${record}
    ) strict`,
    `create table role_permissions (
      role_id integer not null references roles (id),
      permission text not null,
      primary key (role_id, permission)
    ) strict, without rowid`,
    `create table user_roles (
      user_id integer not null references users (id),
      role_id integer not null references roles (id),
      granted_at text not null,
      primary key (user_id, role_id)
    ) strict, without rowid`,
    'create index user_roles_role on user_roles (role_id)',
    ...Object.entries(builtInRoles).flatMap(([role, permissions]) => [
      `insert into roles (name, built_in, created_at, updated_at) values ('${role}', 1, ${now}, ${now})`,
      ...permissions.map(
        (permission) =>
          `insert into role_permissions (role_id, permission) select id, '${permission}' from roles where name = '${role}'`,
      ),
    ]),

    `create table sessions (
      key blob primary key,
      user_id integer not null references users (id),
      created_at text not null,
      expires_at text not null
    ) strict, without rowid`,
    'create index sessions_user on sessions (user_id)',
    'create index sessions_expiry on sessions (expires_at)',

    'create table signing_keys (kid text primary key, secret blob not null, created_at text not null) strict',

    `create table throttles (
      key text primary key,
      level real not null,
      blocked_until text not null,
      updated_at text not null
    ) strict, without rowid`,
    'create index throttles_age on throttles (updated_at)',

    `create table classes (
      id integer primary key autoincrement,
      label text not null,
      label_key text not null unique,${record}
    ) strict`,
    ...classLabels.map(
      (label) =>
        `insert into classes (label, label_key, created_at, updated_at) values ('${label}', '${label.toLowerCase()}', ${now}, ${now})`,
    ),

    `create table students (
      id integer primary key autoincrement,
      name text not null,
      admission_number text not null,
      admission_key text not null unique,
      class_id integer not null references classes (id),
      folded_name text not null,
      search_text text not null,${record}
    ) strict`,
    'create index students_class on students (class_id)',

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
  ],
}
