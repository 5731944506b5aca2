import type { Engine, Migration } from './index.ts'
import { wordsOf } from './words.ts'

/**
 * Fields of the school's own, and their values. `own_fields` holds what a student has, as JSON by the fields' keys;
 * null: nothing. `field_changes` counts the changes of the fields, so that they can be remembered.
 */
export const fields: Migration = {
  id: 13,
  name: 'fields',
  statements: { sqlite: statementsOf('sqlite'), postgres: statementsOf('postgres') },
}

function statementsOf(engine: Engine): string[] {
  const { id, integer, instant, now, end, endKeyed, record } = wordsOf(engine)
  return [
    `create table fields (
      id ${id},
      key text not null unique,
      label text not null,
      label_key text not null unique,
      kind text not null,
      options text,
      sensitive ${integer} not null,
      position ${integer} not null,
      archived_at ${instant},
      ${record}
    ${end}`,
    `create table field_changes (
      id integer primary key check (id = 1),
      version ${integer} not null,
      updated_at ${instant} not null
    ${end}`,
    `insert into field_changes (id, version, updated_at) values (1, 0, ${now})`,
    'alter table students add column own_fields text',
    // What lists are filtered by. It refers to no student: an index of its own would be as large as the table.
    `create table student_field_values (
      field_id ${integer} not null references fields (id),
      value_key text not null,
      student_id ${integer} not null,
      primary key (field_id, value_key, student_id)
    ${endKeyed}`,
  ]
}
