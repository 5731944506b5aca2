import type { Migration } from './index.ts'

/**
 * Lists by family name and by date of birth. Only students who have one are in the index: it takes no space at a school
 * that keeps neither, and the others are last in such a list. On SQLite what is in a text's index is cut to what must
 * be there (migration 4): the name itself is read.
 */
export const lists: Migration = {
  id: 15,
  name: 'lists',
  statements: {
    sqlite: [
      'create index students_family_name on students (folded_family_name) where folded_family_name is not null',
      'create index students_birth on students (date_of_birth) where date_of_birth is not null',
    ],
    postgres: [
      `create index students_family_name
        on students (folded_family_name collate "C", folded_name collate "C", name collate "C", id)
        where folded_family_name is not null`,
      'create index students_birth on students (date_of_birth collate "C", id) where date_of_birth is not null',
    ],
  },
}
