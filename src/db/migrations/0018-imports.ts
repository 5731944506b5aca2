import type { Engine, Migration } from './index.ts'
import { wordsOf } from './words.ts'

/** Imports of files: what came, what it holds row by row, what is planned, and what people decided. */
export const imports: Migration = {
  id: 18,
  name: 'imports',
  statements: { sqlite: statementsOf('sqlite'), postgres: statementsOf('postgres') },
}

function statementsOf(engine: Engine): string[] {
  const { id, integer, instant, bytes, record, end, endKeyed } = wordsOf(engine)
  const ofImport = `import_id ${integer} not null references imports (id) on delete cascade`
  return [
    // No references to accounts and change sets: the former can be removed.
    `create table imports (
      id ${id},
      kind text not null,
      mode text not null,
      state text not null,
      user_id ${integer},
      command text,
      address text,
      request_id text,
      file_name text,
      file_format text,
      file_bytes ${integer} not null,
      file_hash ${bytes},
      facts text,
      settings text not null,
      questions text,
      counts text,
      done ${integer} not null,
      total ${integer},
      failure text,
      planned_for ${integer},
      planned_scopes text,
      makes text,
      change_set_id ${integer},
      undo_set_id ${integer},
      leased_by text,
      leased_until ${instant},
      tries ${integer} not null default 0,
      emptied_at ${instant},
      ${record}
    ${end}`,
    'create index imports_maker on imports (user_id, id)',
    "create index imports_at_work on imports (id) where state in ('reading', 'applying', 'undoing')",
    `create table import_chunks (
      ${ofImport},
      place ${integer} not null,
      bytes ${bytes} not null,
      primary key (import_id, place)
    ${end}`,
    `create table import_rows (
      ${ofImport},
      place ${integer} not null,
      cells text not null,
      primary key (import_id, place)
    ${endKeyed}`,
    `create table import_plan (
      ${ofImport},
      place ${integer} not null,
      outcome text not null,
      record_id ${integer},
      record_version ${integer},
      class_id ${integer},
      number_key text,
      changes text,
      cells text,
      likeness text,
      outdated ${integer} not null default 0,
      applied ${integer} not null default 0,
      kept text,
      primary key (import_id, place)
    ${endKeyed}`,
    'create index import_plan_outcome on import_plan (import_id, outcome, place)',
    'create index import_plan_record on import_plan (import_id, record_id)',
    'create index import_plan_number on import_plan (import_id, number_key) where number_key is not null',
    `create table import_decisions (
      ${ofImport},
      place ${integer} not null,
      decision text not null,
      record_id ${integer},
      primary key (import_id, place)
    ${endKeyed}`,
    `create table import_mappings (
      id ${id},
      kind text not null,
      name text not null,
      name_key text not null,
      headings text not null,
      answers text not null,
      ${record},
      unique (kind, name_key)
    ${end}`,
    'create index import_mappings_headings on import_mappings (kind, headings)',
    ...['administrator', 'registrar'].map(
      (role) =>
        `insert into role_permissions (role_id, permission) select id, 'students.import' from roles where name = '${role}' and built_in = 1`,
    ),
  ]
}
