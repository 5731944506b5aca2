import type { Migration } from './index.ts'

/**
 * PostgreSQL: how long the lists beside the search indexes may be (see migrations 5 and 19) is said by each transaction
 * now, since one that writes hundreds of students has less work with a longer one.
 */
export const listsByWrite: Migration = {
  id: 20,
  name: 'lists by write',
  statements: { sqlite: [], postgres: [resetLists()] },
}

function resetLists(): string {
  const resets = ['students_search', 'guardian_texts_search'].map(
    (index) => `if exists (
      select from pg_class join pg_am on pg_am.oid = relam
      where pg_class.oid = to_regclass('${index}') and amname = 'gin'
    ) then
      alter index ${index} reset (gin_pending_list_limit);
    end if;`,
  )
  return `do $$ begin
    perform set_config('lock_timeout', '1s', true);
    ${resets.join('\n    ')}
  end $$`
}
