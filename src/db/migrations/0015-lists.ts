import type { Migration } from './index.ts'

/**
 * Lists by family name and by date of birth, in which those without one are last. Each student is in one of the two
 * indexes for family names. SQLite's hold what a page is found by, as that on names does (migration 4);
 * without the column that is null, SQLite would read each student to see that it is.
 */
export const lists: Migration = {
  id: 15,
  name: 'lists',
  statements: {
    sqlite: [
      'create index students_family_name on students (folded_family_name) where folded_family_name is not null',
      `create index students_no_family_name
        on students (folded_family_name, folded_name) where folded_family_name is null`,
      'create index students_birth on students (date_of_birth) where date_of_birth is not null',
    ],
    postgres: [
      `create index students_family_name
        on students (folded_family_name collate "C", folded_name collate "C", name collate "C", id)
        where folded_family_name is not null`,
      `create index students_no_family_name
        on students (folded_name collate "C", name collate "C", id) where folded_family_name is null`,
      'create index students_birth on students (date_of_birth collate "C", id) where date_of_birth is not null',
    ],
  },
}
