import type { Migration } from './index.ts'

/**
 * PostgreSQL: students that came or changed of late stand in a list besides the index (GIN's `fastupdate`), which every
 * search reads from end to end. It may take up 64 KB, the least, and no more 4 MB. That locks the index: the list is
 * emptied before, and who waits for the lock holds up all that read students, so it is a second at the most.
 * SQLite stays as it is.
 */
export const pending: Migration = {
  id: 5,
  name: 'pending',
  statements: {
    sqlite: [],
    postgres: [
      `do $$ begin
      if exists (
        select from pg_class join pg_am on pg_am.oid = relam
        where pg_class.oid = to_regclass('students_search') and amname = 'gin'
      ) then
        perform gin_clean_pending_list('students_search');
        perform set_config('lock_timeout', '1s', true);
        alter index students_search set (gin_pending_list_limit = 64);
      end if;
    end $$`,
    ],
  },
}
