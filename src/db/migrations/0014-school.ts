import type { Engine, Migration } from './index.ts'
import { wordsOf } from './words.ts'

/** What the school says of itself, and the admission numbers that students gave up. */
export const school: Migration = {
  id: 14,
  name: 'school',
  statements: { sqlite: statementsOf('sqlite'), postgres: statementsOf('postgres') },
}

function statementsOf(engine: Engine): string[] {
  const { integer, instant, now, end, endKeyed } = wordsOf(engine)
  return [
    `create table school (
      id ${integer} primary key check (id = 1),
      name text,
      address text,
      time_zone text not null,
      name_order text not null check (name_order in ('given_first', 'family_first')),
      version ${integer} not null default 1,
      updated_at ${instant} not null
    ${end}`,
    `insert into school (id, time_zone, name_order, updated_at) values (1, 'UTC', 'given_first', ${now})`,
    // A number outlives its student: no reference. The key of one who is erased is to stand here as a hash.
    `create table former_numbers (
      admission_key text primary key,
      student_id ${integer} not null,
      kept_since ${instant} not null
    ${endKeyed}`,
    'create index former_numbers_student on former_numbers (student_id)',
  ]
}
