import type { Migration } from './index.ts'

/**
 * PostgreSQL: students that came or changed of late stand in a list of their own (GIN's `fastupdate`), which every
 * search reads from end to end. It may take up 64 KB, the least, and no more 4 MB. SQLite stays as it is.
 */
export const pending: Migration = {
  id: 5,
  name: 'pending',
  statements: {
    sqlite: [],
    postgres: [
      `do $$ begin
      if to_regclass('students_search') is not null then
        alter index students_search set (gin_pending_list_limit = 64);
        perform gin_clean_pending_list('students_search');
      end if;
    end $$`,
    ],
  },
}
