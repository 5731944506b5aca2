import type { Engine, Migration } from './index.ts'
import { wordsOf } from './words.ts'

/** Named lists, and pairs of students who look like one child and are known to be two. */
export const office: Migration = {
  id: 16,
  name: 'office',
  statements: { sqlite: statementsOf('sqlite'), postgres: statementsOf('postgres') },
}

function statementsOf(engine: Engine): string[] {
  const { id, integer, instant, record, end, endKeyed } = wordsOf(engine)
  return [
    `create table named_lists (
      id ${id},
      name text not null,
      name_key text not null unique,
      filters text not null,
      columns text,
      sorted_by text not null,
      print text not null,
      ${record}
    ${end}`,
    // No reference to the account: accounts can be removed.
    `create table settled_pairs (
      low_id ${integer} not null references students (id) on delete cascade,
      high_id ${integer} not null references students (id) on delete cascade,
      settled_by ${integer},
      settled_at ${instant} not null,
      primary key (low_id, high_id),
      check (low_id < high_id)
    ${endKeyed}`,
    'create index settled_pairs_high on settled_pairs (high_id)',
  ]
}
