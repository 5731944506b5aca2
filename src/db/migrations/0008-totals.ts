import type { Migration } from './index.ts'

/** Counts a change in `student_changes`. */
const count = 'begin update student_changes set changes = changes + 1; end'

/**
 * SQLite: totals of searches are remembered in memory, and kept in a table no longer. `student_changes` tells whether
 * a total still holds up to the id up to which it was counted. It counts changes of searched text, students that go,
 * and students that come with an id below another's.
 */
export const totals: Migration = {
  id: 8,
  name: 'totals',
  statements: {
    sqlite: [
      'drop trigger search_totals_insert',
      'drop trigger search_totals_update',
      'drop trigger search_totals_delete',
      'drop table search_totals',
      'create table student_changes (id integer primary key check (id = 1), changes integer not null) strict',
      'insert into student_changes (id, changes) values (1, 0)',
      `create trigger student_changes_insert after insert on students
      when exists (select 1 from students where id > new.id) ${count}`,
      `create trigger student_changes_update after update of folded_name, admission_key, further_words on students ${count}`,
      `create trigger student_changes_delete after delete on students ${count}`,
    ],
    postgres: [],
  },
}
